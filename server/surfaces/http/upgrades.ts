import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Peer } from "../../operation/request-meta";
import type { HttpResult } from "./http-result";

/** A request to use its connection for another protocol. */
export interface Upgrade {
  incoming: IncomingMessage;
  socket: Socket;
  /** What the client has sent after the request. */
  head: Buffer;
  /** Responds as to an ordinary request instead, and closes the connection. */
  refuse(result: HttpResult & { body: string }): void;
}

/** A surface whose requests become connections of another protocol. */
export interface UpgradeSurface {
  takes(incoming: IncomingMessage): boolean;
  /** Never throws. */
  serve(upgrade: Upgrade, peer: Peer): void;
}

interface Passing {
  /** Returns what handles an upgrade; undefined: it is an ordinary request. */
  find(incoming: IncomingMessage): ((upgrade: Upgrade) => void) | undefined;
  /** The latest response on a connection, which may not be sent yet. */
  latest: WeakMap<object, ServerResponse>;
  /** Of every response. */
  headers: Readonly<Record<string, string>>;
}

/** What Next's development server upgrades by itself. */
const DEVELOPMENT = "/_next/";

/**
 * Passes upgrades to their surfaces. With a listener, Node no longer handles any other request with `Upgrade` as an
 * ordinary one, which RFC 9110 section 7.8 asks of a server that does not support what was requested; so these are read
 * again without that header.
 */
export function passUpgrades(server: Server, { find, latest, headers }: Passing): void {
  server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (server.listenerCount("upgrade") > 1 && incoming.url?.startsWith(DEVELOPMENT)) return;
    socket.on("error", () => {});
    afterEarlier(latest.get(socket), () => {
      if (socket.destroyed) return;
      const serve = find(incoming);
      if (!serve) return readAgain(server, { incoming, socket, head });
      const refuse: Upgrade["refuse"] = (result) => respond({ incoming, socket }, result, headers);
      serve({ incoming, socket, head, refuse });
    });
  });
}

/** Responses to requests on one connection are sent in order. */
function afterEarlier(response: ServerResponse | undefined, next: () => void): void {
  if (!response || response.writableFinished || response.destroyed) next();
  else response.once("close", next);
}

function readAgain(server: Server, { incoming, socket, head }: Pick<Upgrade, "incoming" | "socket" | "head">): void {
  const { method, url, httpVersion, rawHeaders } = incoming;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== "upgrade") lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  socket.setTimeout(0);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("encrypted" in socket ? "secureConnection" : "connection", socket);
}

function respond(
  { incoming, socket }: Pick<Upgrade, "incoming" | "socket">,
  { status, headers, body }: HttpResult & { body: string },
  always: Readonly<Record<string, string>>,
): void {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once("finish", () => socket.end());
  outgoing.writeHead(status, { ...always, ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}
