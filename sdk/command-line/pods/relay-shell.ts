import { constants } from "node:os";
import type { WebSocket } from "ws";
import type { ErrorBody } from "../../offers-wire";
import { SvcError } from "../../platform-client";
import type { Io } from "../io";
import { sendInput } from "./send-input";
import { shellSize } from "./shell-size";

export interface RelayShell {
  io: Io;
  /** Aborted by a signal, which ends the shell. */
  stop: AbortSignal;
  /** The program is the shell of the image, which reads lines. */
  isShell: boolean;
  /** How long svc, which sends a ping every 30 seconds, may be silent. Default: 75 s. */
  silenceMs?: number;
}

type EndMessage = { type: "exit"; code: number | null; signal: string | null } | ({ type: "error" } & ErrorBody);

const SILENCE_MS = 75_000;
/** While more output than this is not written, no more is read. */
const HELD_BYTES_MAX = 1024 * 1024;
const GOING_AWAY = 1001;
const INTERRUPTED = 130;
const SIGNAL_BASE = 128;
/**
 * What a program that was cut off may have set: the alternate screen, mouse reports, bracketed paste, application keys,
 * a hidden cursor, colors (xterm's control sequences). What follows begins in a new line.
 */
const RESET = `${["[?1047l", "[?1000l", "[?1002l", "[?1003l", "[?1006l", "[?2004l", "[?1l", ">", "[?25h", "[0m"]
  .map((sequence) => `\u001b${sequence}`)
  .join("")}\r\n`;

/**
 * Connects the local terminal, or standard input and output, to a terminal of a pod. Resolves with the exit status of
 * the program there; rejects with an SvcError if the connection ends before. The local terminal is restored first.
 */
export async function relayShell(socket: WebSocket, relay: RelayShell): Promise<number> {
  const { io, stop } = relay;
  const ending = watchOutput(socket, relay);
  const input = io.input().getReader();
  const restore = io.terminal?.enterRawMode();
  const endSizes = sendSizes(socket, io);
  const abort = () => socket.terminate();
  stop.addEventListener("abort", abort, { once: true });
  if (stop.aborted) abort();
  void sendInput(socket, input, relay).catch(() => undefined);
  const { message, code } = await ending;
  stop.removeEventListener("abort", abort);
  endSizes();
  restore?.();
  if (message?.type !== "exit" && io.terminal && io.stdout.isTTY) io.stdout.write(RESET);
  await input.cancel().catch(() => undefined);
  if (message?.type === "exit") return statusOf(message);
  if (stop.aborted) return INTERRUPTED;
  throw failureOf(message, code);
}

const statusOf = ({ code, signal }: { code: number | null; signal: string | null }): number =>
  code ?? SIGNAL_BASE + (constants.signals[signal as NodeJS.Signals] ?? 0);

function failureOf(message: { error: ErrorBody["error"] } | undefined, code: number): SvcError {
  if (message) {
    const { code: name, message: reason, request_id: requestId, details } = message.error;
    return new SvcError({ status: 0, code: name, message: reason, reason, requestId, details });
  }
  const why = code === GOING_AWAY ? "svc is restarting; open it again shortly" : "the connection was lost";
  return new SvcError({ status: 0, code: "network", message: `The terminal was closed: ${why}.` });
}

interface Ending {
  message: EndMessage | undefined;
  /** Of the WebSocket protocol. */
  code: number;
}

/** Writes the output. Resolves when the connection has ended and everything is written; never rejects. */
function watchOutput(socket: WebSocket, { io, silenceMs = SILENCE_MS }: RelayShell): Promise<Ending> {
  let message: EndMessage | undefined;
  let heldBytes = 0;
  let written: Promise<void> = Promise.resolve();
  const silence = setTimeout(() => (socket.isPaused ? silence.refresh() : socket.terminate()), silenceMs);
  const write = async (bytes: Buffer): Promise<void> => {
    heldBytes += bytes.length;
    if (heldBytes > HELD_BYTES_MAX) socket.pause();
    await io.writeBytes?.(bytes).catch(() => socket.terminate());
    heldBytes -= bytes.length;
    if (socket.isPaused && heldBytes <= HELD_BYTES_MAX) socket.resume();
  };
  socket.on("ping", () => silence.refresh());
  socket.on("message", (bytes: Buffer, isBinary) => {
    silence.refresh();
    if (isBinary) written = Promise.all([written, write(bytes)]).then(() => undefined);
    else message = readEnd(bytes.toString("utf8")) ?? message;
  });
  socket.on("error", () => socket.terminate());
  socket.resume();
  return new Promise((resolve) => {
    socket.once("close", (code) => {
      clearTimeout(silence);
      void written.then(() => resolve({ message, code }));
    });
  });
}

/** Undefined for what is no message of svc. */
function readEnd(text: string): EndMessage | undefined {
  try {
    const message = JSON.parse(text) as EndMessage;
    return message.type === "exit" || message.type === "error" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Sends the size of the local terminal after each change. Returns what ends that. */
function sendSizes(socket: WebSocket, io: Io): () => void {
  const send = () => {
    const size = shellSize(io);
    if (size && socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type: "resize", ...size }));
  };
  const end = io.terminal?.onResize(send);
  // It may have changed since the request.
  send();
  return () => end?.();
}
