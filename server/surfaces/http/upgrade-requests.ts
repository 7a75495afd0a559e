import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** A request with `Upgrade`, which Node has taken off the HTTP connection. */
export interface UpgradeRequest {
  incoming: IncomingMessage;
  socket: Duplex;
  /** What followed the request. */
  head: Buffer;
}

export const isWebSocket = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket";

/** A response to such a request, after which the connection ends. */
export function responseOn({ incoming, socket }: UpgradeRequest): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(incoming.socket);
  // What Node does for the responses of an HTTP connection.
  socket.on("drain", () => outgoing.emit("drain"));
  socket.on("timeout", () => outgoing.emit("timeout"));
  outgoing.once("finish", () => {
    if (outgoing.socket) socket.end();
  });
  return outgoing;
}

/** Serves the request again on the same connection, as one that does not ask for an upgrade. */
export function serveWithoutUpgrade(server: Server, { incoming, socket, head }: UpgradeRequest): void {
  const { method, url, httpVersion, rawHeaders } = incoming;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== "upgrade") lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("encrypted" in socket ? "secureConnection" : "connection", socket);
  socket.resume();
}
