import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ServiceError } from "../kernel/errors";
import { errorResponse } from "./error-response";
import { requestIdOf } from "./request-facts";

/** What the parser refuses before there is a request; anything else is malformed. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time; send it again." },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: "The headers of this request are too large; send fewer or shorter ones.",
  },
};
const MALFORMED = { status: 400, message: "This is not a well-formed HTTP request." };

/**
 * Answers bytes that never became a request, on the bare socket: 408 when they came too slowly, 431 for too many
 * headers, 400 otherwise. `latest` is the last response on this connection: while one is under way, anything written
 * here would be taken for a part of it or for its answer, so the connection is cut instead.
 */
export function answerClientError(
  { code = "" }: NodeJS.ErrnoException,
  socket: Duplex,
  { latest, headers }: { latest: ServerResponse | undefined; headers: Record<string, string> },
): void {
  if (!socket.writable || (latest && isUnderWay(latest))) return void socket.destroy();
  const { status, message } = REFUSALS[code] ?? MALFORMED;
  const requestId = requestIdOf(null);
  void writeRaw(
    socket,
    { status, requestId, headers },
    errorResponse(new ServiceError("invalid_request", message), requestId),
  );
}

/** A request whose own body is broken has no other answer yet; after a whole request the bytes belong to the next one. */
const isUnderWay = ({ headersSent, writableFinished, req }: ServerResponse): boolean =>
  !writableFinished && (headersSent || req.complete);

async function writeRaw(
  socket: Duplex,
  { status, requestId, headers }: { status: number; requestId: string; headers: Record<string, string> },
  response: Response,
): Promise<void> {
  const body = await response.text();
  const all = {
    "Content-Type": "application/json",
    "X-Request-ID": requestId,
    "Cache-Control": "no-store",
    ...headers,
    Connection: "close",
    "Content-Length": Buffer.byteLength(body),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}
