import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";

export interface Handshake {
  protocol: string;
  headers: Record<string, string>;
  /** Ends an attempt that is under way. */
  signal: AbortSignal;
}

/** What svc sends in a message is shorter. */
const MESSAGE_BYTES_MAX = 1024 * 1024;
const REFUSAL_BYTES_MAX = 64 * 1024;
const HANDSHAKE_MS = 30_000;

/** Resolves to a WebSocket that is paused, or to the response of a server that refuses to open one. Rejects without a response. */
export function openWebSocket(
  url: string,
  { protocol, headers, signal }: Handshake,
): Promise<{ socket: WebSocket } | { refusal: Response }> {
  const socket = new WebSocket(url, protocol, {
    headers,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: HANDSHAKE_MS,
  });
  const abort = () => socket.terminate();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return new Promise<{ socket: WebSocket } | { refusal: Response }>((resolve, reject) => {
    socket.once("open", () => {
      // Messages that arrive with the handshake wait until there is a listener.
      socket.pause();
      resolve({ socket });
    });
    socket.on("error", reject);
    socket.once("unexpected-response", (_, response) => {
      asResponse(response).then((refusal) => resolve({ refusal }), reject);
    });
  }).finally(() => signal.removeEventListener("abort", abort));
}

async function asResponse(incoming: IncomingMessage): Promise<Response> {
  // It would stay open, and the program with it, until the server closes it.
  const { socket } = incoming;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming) {
    parts.push(part as Buffer);
    bytes += (part as Buffer).length;
    if (bytes > REFUSAL_BYTES_MAX) break;
  }
  socket.destroy();
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  // A Response of another status may not have a body.
  const status = Math.max(incoming.statusCode ?? 500, 200);
  return new Response(parts.length > 0 ? Buffer.concat(parts) : null, { status, headers });
}
