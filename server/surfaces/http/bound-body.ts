import type { IncomingMessage, ServerResponse } from "node:http";
import { JSON_BODY_LIMITS } from "../../kernel/limit-body";

/** How long the rest of a rejected body is read, so that the client can receive the response. */
const LINGER_MS = 2000;

/**
 * Limits the time of a request body to 30 s, unless it `mayBeLong`; Node's own limit would also apply to long uploads.
 * A response that is sent before the end of the body has `Connection: close`; the rest of the body is discarded for at
 * most 2 s, then the connection is closed.
 */
export function boundBody(incoming: IncomingMessage, outgoing: ServerResponse, { mayBeLong }: { mayBeLong: boolean }) {
  if (!hasBody(incoming)) return;
  closeWhenEarly(incoming, outgoing);
  if (mayBeLong) return;
  const late = setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroy();
  }, JSON_BODY_LIMITS.totalMs);
  outgoing.once("close", () => clearTimeout(late));
}

/**
 * Resolves when a body that arrived with its headers is parsed, so that an early rejection need not close the
 * connection.
 */
export async function bodyParsed(incoming: IncomingMessage): Promise<void> {
  if (hasBody(incoming) && !incoming.complete) await new Promise((resolve) => setImmediate(resolve));
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}

/** Node calls `writeHead` for every response, including implicit ones. */
function closeWhenEarly(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const writeHead = outgoing.writeHead as (...args: unknown[]) => ServerResponse;
  outgoing.writeHead = (...args: unknown[]) => {
    if (!incoming.complete) {
      outgoing.setHeader("Connection", "close");
      lingerBeforeClose(incoming);
    }
    return writeHead.apply(outgoing, args);
  };
}

/**
 * Node closes a connection as soon as its last response is written. If the client is still sending, that resets the
 * connection, and the client may lose the response. So only the server's side is ended first.
 */
function lingerBeforeClose(incoming: IncomingMessage): void {
  const { socket } = incoming;
  let isEnding = false;
  socket.destroySoon = () => {
    if (isEnding) return;
    isEnding = true;
    const end = () => void socket.destroy();
    const late = setTimeout(end, LINGER_MS);
    socket.once("close", () => clearTimeout(late));
    socket.end();
    // The reader of the body so far receives no more of it.
    incoming.removeAllListeners("data").once("end", end).resume();
  };
}
