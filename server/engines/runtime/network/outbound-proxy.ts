import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { endToEnd } from "../../../kernel/end-to-end-headers";
import { type Network, publicNetwork } from "../../guarded-fetch";
import {
  absoluteUrl,
  OutboundRefusal,
  type OutboundTarget,
  outboundAddress,
  targetOf,
  tunnelTarget,
} from "./outbound-target";

/** Of one workload, at once. */
export const OUTBOUND_CONNECTIONS_MAX = 100;
/** Without a byte in either direction. */
export const OUTBOUND_IDLE_MS = 5 * 60_000;
/** Until a client that is not served has read why. */
const REFUSED_MS = 2000;
/** From the lookup of a name until the connection. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The HTTP proxy through which workloads reach public addresses: CONNECT, and requests with an absolute http: URL. */
export class OutboundProxy {
  readonly #server = http.createServer();
  readonly #open = new Map<string, Set<Socket>>();
  /** Since this process started, of all workloads. */
  readonly bytes = { sent: 0, received: 0 };

  constructor(readonly network: Network = publicNetwork) {
    // Between requests Node resets the limit of a connection to this one.
    this.#server.timeout = OUTBOUND_IDLE_MS;
    this.#server.on("request", (incoming, outgoing) => void this.#pass(incoming, outgoing));
    this.#server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
      void this.#tunnel(request, client, head);
    });
  }

  /** Serves a connection of a workload. */
  accept(workload: string, client: Socket): void {
    client.on("error", () => undefined);
    const open = this.#open.get(workload) ?? new Set();
    if (open.size >= OUTBOUND_CONNECTIONS_MAX) {
      const why = `A pod has at most ${OUTBOUND_CONNECTIONS_MAX} outbound connections at once.`;
      return void client.end(responseText(new OutboundRefusal(429, why)));
    }
    this.#open.set(workload, open.add(client));
    client.setTimeout(OUTBOUND_IDLE_MS).on("timeout", () => client.destroy());
    client.once("close", () => {
      this.bytes.sent += client.bytesRead;
      this.bytes.received += client.bytesWritten;
      open.delete(client);
      if (open.size === 0) this.#open.delete(workload);
    });
    this.#server.emit("connection", client);
    // What was read with the id is taken first.
    client.resume();
  }

  /** Ends the connections of a workload. */
  endOf(workload: string): void {
    for (const socket of this.#open.get(workload) ?? []) socket.destroy();
  }

  /** Sends why a connection is not served, and ends it. */
  refuse(client: Socket, why: string): void {
    // What it sends is read, or the connection would never end.
    client.setTimeout(REFUSED_MS, () => client.destroy()).resume();
    client.end(responseText(new OutboundRefusal(403, why)));
  }

  /** Ends every connection. */
  close(): void {
    for (const sockets of this.#open.values()) for (const socket of sockets) socket.destroy();
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    try {
      const upstream = await this.#connect(tunnelTarget(request.url ?? ""), client);
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) client.unshift(head);
      pipeline(client, upstream, client, () => undefined);
    } catch (failure) {
      client.end(responseText(refusalOf(failure)));
    }
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const url = absoluteUrl(incoming.url ?? "");
      const upstream = await this.#connect(targetOf(url), outgoing);
      const response = await requestOn(upstream, incoming, url);
      outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.rawHeaders));
      pipeline(response, outgoing, () => upstream.destroy());
    } catch (failure) {
      const { status, message } = refusalOf(failure);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(status, { connection: "close", "content-type": "text/plain" }).end(bodyOf(message));
    }
  }

  /** A connection to the checked address of a target, which ends with `client`. */
  async #connect(target: OutboundTarget, client: Duplex | ServerResponse): Promise<Duplex> {
    const late = new AbortController();
    const timeout = sleep(CONNECT_TIMEOUT_MS, undefined, { signal: late.signal }).then(() => {
      throw new OutboundRefusal(504, `${target.hostname} did not accept the connection in time.`);
    });
    try {
      const address = await Promise.race([outboundAddress(target, this.network), timeout]);
      const upstream = this.network.connect({ protocol: "http:", address, ...target });
      upstream.on("error", () => undefined);
      client.once("close", () => upstream.destroy());
      await Promise.race([connected(upstream), timeout]).catch((cause: unknown) => {
        upstream.destroy();
        throw cause;
      });
      return upstream;
    } finally {
      timeout.catch(() => undefined);
      late.abort();
    }
  }
}

/** Resolves when a socket of the network has connected. */
function connected(upstream: Duplex & { connecting?: boolean }): Promise<void> {
  if (!upstream.connecting) return Promise.resolve();
  return new Promise((resolve, reject) => {
    upstream.once("connect", resolve).once("error", reject);
  });
}

const requestOn = (upstream: Duplex, incoming: IncomingMessage, url: URL): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = [...endToEnd(incoming.rawHeaders, ["host"]), "Host", url.host];
    const path = `${url.pathname}${url.search}`;
    const request = http.request({ createConnection: () => upstream, method: incoming.method ?? "GET", path, headers });
    request.once("response", resolve).once("error", reject);
    pipeline(incoming, request, () => undefined);
  });

function refusalOf(failure: unknown): OutboundRefusal {
  if (failure instanceof OutboundRefusal) return failure;
  return new OutboundRefusal(502, "The connection to the server failed.", { cause: failure });
}

const bodyOf = (message: string): string => `svc: ${message}\n`;

function responseText({ status, message }: OutboundRefusal): string {
  const body = bodyOf(message);
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: text/plain",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
