import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ServiceError } from "../../kernel/errors";
import { requestIdOf } from "../../operation/request-meta";
import { errorResponse } from "./error-response";

/** Errors that the parser reports before there is a request; any other error means a malformed request. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time; send it again." },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: "The headers of this request are too large; send fewer or shorter ones.",
  },
};
const MALFORMED = { status: 400, message: "This is not a well-formed HTTP request." };

/**
 * Responds on the socket to bytes that are not a valid request: 408 when they arrived too slowly, 431 for too many
 * headers, 400 otherwise. `latest` is the last response on this connection: if it is incomplete, the connection is
 * closed, since the client would take these bytes for part of it.
 */
export function respondToClientError(
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

/**
 * A request whose body is invalid has no other response yet; after a complete request the bytes belong to the next one.
 */
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
