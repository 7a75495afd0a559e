import type { WebSocket } from "ws";
import { sleep } from "../../sleep";
import type { Io } from "../io";

/** svc accepts 64 KiB in a message. */
const MESSAGE_BYTES_MAX = 16 * 1024;
const NEWLINE = 0x0a;
/** Ctrl-D, which ends the input of what reads from a terminal. */
const END = "\u0004";
const END_AGAIN_MS = 1000;
const END_AGAIN_MS_MAX = 60_000;

/**
 * Types what is read, and Ctrl-D at its end. A terminal forgets a Ctrl-D when its mode changes, as shells do between
 * commands, so it is typed again until the connection ends, with growing pauses.
 */
export async function sendInput(
  socket: WebSocket,
  input: ReadableStreamDefaultReader<Uint8Array>,
  { isShell, io }: { isShell: boolean; io: Io },
): Promise<void> {
  let last = NEWLINE;
  for (let next = await input.read(); !next.done; next = await input.read()) {
    for (const part of partsOf(next.value)) await send(socket, part);
    last = next.value.at(-1) ?? last;
  }
  // In an unfinished line, the first Ctrl-D only passes on the line; a shell that edits lines ignores it there.
  if (last !== NEWLINE) await send(socket, Buffer.from(isShell ? "\n" : END));
  for (let ms = END_AGAIN_MS; socket.readyState === socket.OPEN; ms = Math.min(2 * ms, END_AGAIN_MS_MAX)) {
    await send(socket, Buffer.from(END));
    await pause(socket, { ms, io });
  }
}

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MESSAGE_BYTES_MAX) yield bytes.subarray(at, at + MESSAGE_BYTES_MAX);
}

/** Resolves when the bytes have left this process, so that no more is read than svc takes. */
const send = (socket: WebSocket, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.send(bytes, { binary: true }, (failure) => (failure ? reject(failure) : resolve()));
  });

async function pause(socket: WebSocket, { ms, io }: { ms: number; io: Io }): Promise<void> {
  const closed = new AbortController();
  const abort = () => closed.abort();
  socket.once("close", abort);
  await (io.timing?.sleep ?? sleep)(ms, closed.signal).catch(() => undefined);
  socket.off("close", abort);
}
