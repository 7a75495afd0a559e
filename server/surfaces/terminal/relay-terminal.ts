import { setTimeout as sleep } from "node:timers/promises";
import type { RawData, WebSocket } from "ws";
import type { TerminalSession } from "../../cloud/compute/pods/terminal-session";
import { ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { errorBody } from "../http/error-response";
import { readMessage, type ServerMessage } from "./terminal-messages";

export interface RelayTerminal {
  session: TerminalSession;
  requestId: string;
  /** Aborted when svc stops. */
  stopping: AbortSignal;
  /** Throws why the caller may not use the terminal any longer. */
  authorizeAgain: () => Promise<void>;
  /** Between pings; a client that has not answered one by the next is disconnected. Default: 30 s. */
  pingMs?: number;
  /** How long a terminal may have neither input nor output. Default: an hour. */
  idleMs?: number;
}

/** Of the WebSocket protocol (RFC 6455 section 7.4.1). */
const CLOSE = { normal: 1000, goingAway: 1001, policy: 1008 } as const;
const PING_MS = 30_000;
const IDLE_MS = 3_600_000;
const RESIZE_EVERY_MS = 25;
/** What a program that has ended may have left in the buffers of a slow client. */
const LAST_OUTPUT_MS = 5000;
/** For a client that does not take part in closing. */
const CLOSE_MS = 2000;

/** Connects a terminal and a client until one of them ends, which ends the other. */
export function relayTerminal(socket: WebSocket, relay: RelayTerminal): void {
  const { session, stopping, idleMs = IDLE_MS } = relay;
  const end = (code: number, message?: ServerMessage): void => {
    if (message && socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    socket.resume();
    socket.close(code);
    const late = setTimeout(() => socket.terminate(), CLOSE_MS);
    socket.once("close", () => clearTimeout(late));
  };
  const fail = (failure: unknown): void =>
    end(CLOSE.policy, { type: "error", ...errorBody(asServiceError(failure), relay.requestId) });
  const idle = setTimeout(() => fail(idleFor(idleMs)), idleMs);
  const stop = () => end(CLOSE.goingAway);
  const cleanUp = [watchClient(socket, relay, fail), receive(socket, session, { fail, idle })];
  socket.on("error", () => {});
  socket.once("close", () => {
    clearTimeout(idle);
    stopping.removeEventListener("abort", stop);
    for (const one of cleanUp) one();
    session.close();
  });
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  void sendUntilExit(socket, session, idle).then(({ exitCode: code, signal }) =>
    end(CLOSE.normal, { type: "exit", code, signal }),
  );
}

async function sendUntilExit(socket: WebSocket, session: TerminalSession, idle: NodeJS.Timeout) {
  const sent = sendOutput(socket, session, idle);
  const exit = await session.exited;
  const over = new AbortController();
  await Promise.race([sent, sleep(LAST_OUTPUT_MS, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
  session.output.destroy();
  return exit;
}

/** The next part is read when the one before has left this process, so that a slow client holds up the program. */
async function sendOutput(socket: WebSocket, { output }: TerminalSession, idle: NodeJS.Timeout): Promise<void> {
  try {
    for await (const part of output) {
      await new Promise<void>((resolve, reject) => {
        socket.send(part as Buffer, { binary: true }, (failure) => (failure ? reject(failure) : resolve()));
      });
      idle.refresh();
    }
  } catch {
    // The client or the program has gone, which both end the relay elsewhere.
  }
}

interface Receiving {
  fail: (failure: unknown) => void;
  idle: NodeJS.Timeout;
}

/** While the program does not read what was typed, the client is not read. Returns what ends it. */
function receive(socket: WebSocket, { input, resize }: TerminalSession, { fail, idle }: Receiving): () => void {
  let size: { columns: number; rows: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const applySize = () => {
    timer = undefined;
    if (size) resize(size);
  };
  socket.on("message", (received: RawData, isBinary) => {
    const bytes = received as Buffer;
    idle.refresh();
    if (isBinary) {
      if (!input.destroyed && !input.write(bytes)) socket.pause();
      return;
    }
    const message = readMessage(bytes.toString("utf8"));
    if (!message) return fail(INVALID_MESSAGE);
    size = { columns: message.columns, rows: message.rows };
    timer ??= setTimeout(applySize, RESIZE_EVERY_MS);
  });
  input.on("drain", () => socket.resume()).on("error", () => {});
  return () => clearTimeout(timer);
}

/** Disconnects a client that is gone, or may not use the terminal any longer. Returns what ends it. */
function watchClient(socket: WebSocket, { pingMs = PING_MS, authorizeAgain }: RelayTerminal, fail: Receiving["fail"]) {
  let hasAnswered = true;
  socket.on("pong", () => {
    hasAnswered = true;
  });
  const timer = setInterval(() => {
    // What a client answers is not read while it is paused.
    if (!hasAnswered && !socket.isPaused) return socket.terminate();
    hasAnswered = socket.isPaused;
    socket.ping();
    authorizeAgain().catch(fail);
  }, pingMs);
  return () => clearInterval(timer);
}

const INVALID_MESSAGE = new ServiceError(
  "invalid_request",
  'A text message must be {"type":"resize","columns":80,"rows":24} with 1 to 1000 columns and rows; what is typed is sent in binary messages.',
);

const idleFor = (ms: number): ServiceError =>
  new ServiceError("conflict", `The terminal was not used for ${Math.round(ms / 60_000)} minutes; open it again.`, {
    details: { reason: "idle" },
  });
