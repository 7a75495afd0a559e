import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { clientOf, isLoopbackAddress } from "../../identity/address-hash";
import { ServiceError } from "../../kernel/errors";
import { requestIdOf } from "../../operation/request-meta";
import { errorResult } from "./error-response";

export interface ConnectionLimit {
  /** Of one client, an IPv4 address or the /64 of an IPv6 address, in this process. */
  perClient: number;
  /** Whether all clients of a proxy connect from this address. */
  isProxy: (address: string) => boolean;
}

/** A client on this machine can be a proxy that svc does not know about. */
const LOOPBACK_FACTOR = 16;

/**
 * Limits the connections of each client, also those that send nothing. Beyond the limit its oldest idle connection is closed
 * for the new one, as many people can share an address; if none is idle, the new one gets 503, or is closed where svc
 * terminates TLS. Call it before anything else listens for connections.
 */
export function limitConnections(server: Server, { perClient, isProxy }: ConnectionLimit): void {
  const isTls = "setSecureContext" in server;
  const activity = new Activity(server);
  /** The connections of each client, the oldest first. */
  const clients = new Map<string, Set<Socket>>();
  const admits = (socket: Socket): boolean => {
    const { remoteAddress = "" } = socket;
    if (isProxy(remoteAddress)) return true;
    const client = clientOf(remoteAddress);
    const open = clients.get(client) ?? new Set();
    if (open.size >= perClient * (isLoopbackAddress(remoteAddress) ? LOOPBACK_FACTOR : 1)) {
      const idle = [...open].find((one) => activity.isIdle(one));
      if (!idle) return false;
      open.delete(idle);
      idle.destroySoon();
    }
    clients.set(client, open.add(socket));
    socket.once("close", () => {
      open.delete(socket);
      if (open.size === 0 && clients.get(client) === open) clients.delete(client);
    });
    return true;
  };
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    if (!admits(socket)) return refuse(socket, isTls);
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  });
}

/** Which connections have a request under way, or are no longer used for requests. */
class Activity {
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  readonly #upgraded = new WeakSet<Socket>();
  /** With TLS, what requests come on, by the address and port of the connection. */
  readonly #secure = new Map<string, TLSSocket>();

  constructor(server: Server) {
    server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) =>
      this.#latest.set(socket, response),
    );
    server.prependListener("upgrade", ({ socket }: IncomingMessage) => this.#upgraded.add(socket));
    server.prependListener("secureConnection", (socket: TLSSocket) => {
      const key = keyOf(socket);
      this.#secure.set(key, socket);
      socket.once("close", () => this.#secure.delete(key));
    });
  }

  isIdle(connection: Socket): boolean {
    const socket = this.#secure.get(keyOf(connection)) ?? connection;
    const response = this.#latest.get(socket);
    return !this.#upgraded.has(socket) && (!response || response.writableFinished || response.destroyed);
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function refuse(socket: Socket, isTls: boolean): void {
  socket.on("error", () => undefined);
  if (isTls) return void socket.destroy();
  const requestId = requestIdOf(null);
  const { status, headers, body } = errorResult(tooMany(), requestId);
  const all = { ...headers, "x-request-id": requestId, "cache-control": "no-store", connection: "close" };
  const lines = Object.entries({ ...all, "content-length": Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  socket.destroySoon();
}

const tooMany = (): ServiceError =>
  new ServiceError("unavailable", "Too many connections from your address have requests under way; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "too_many_connections" },
  });
