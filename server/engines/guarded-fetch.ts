import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import ipaddr from "ipaddr.js";

const HTTPS_PORT = 443;

/** How a host name becomes a connection; tests pass their own. */
export interface Network {
  /** Every address of a host. */
  resolve(hostname: string): Promise<string[]>;
  /** A connection to one address that carries HTTP; with TLS it proves that the peer is `hostname`. */
  connect(to: { address: string; port: number; hostname: string }): Duplex;
}

export interface GuardedFetch {
  timeoutMs: number;
  bodyBytesMax: number;
  network?: Network;
}

export const publicNetwork: Network = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  connect: ({ address, port, hostname }) => tls.connect({ host: address, port, servername: hostname }),
};

/**
 * GETs an https URL that a tenant chose and returns its status and body as text. Every address of the host must be
 * public, and the connection goes to one of the checked addresses, so that a later change of the name's resolution has
 * no effect. Redirects are not followed. Throws an Error with a sentence for an address that is not allowed, a body
 * that is too long and a server that does not respond in time.
 */
export async function guardedFetch(
  url: string,
  { timeoutMs, bodyBytesMax, network = publicNetwork }: GuardedFetch,
): Promise<{ status: number; body: string }> {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  if (protocol !== "https:") throw new Error(`${url} is not an https URL.`);
  const signal = AbortSignal.timeout(timeoutMs);
  const address = await beforeAbort(signal, publicAddressOf(network, hostname));
  const socket = network.connect({ address, port: Number(port || HTTPS_PORT), hostname });
  const options = {
    method: "GET",
    path: pathname + search,
    headers: { host: port ? `${hostname}:${port}` : hostname },
  };
  try {
    const response = await beforeAbort(signal, responseTo(socket, options));
    return { status: response.statusCode ?? 0, body: await beforeAbort(signal, textOf(response, bodyBytesMax)) };
  } finally {
    socket.destroy();
  }
}

/**
 * Whether an address belongs to the public internet: not private, loopback, link-local, shared, mapped, translated or
 * reserved.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === "unicast";

async function publicAddressOf({ resolve }: Network, hostname: string): Promise<string> {
  const addresses = await resolve(hostname);
  const [first] = addresses;
  if (first === undefined) throw new Error(`${hostname} has no address.`);
  if (!addresses.every(isPublicAddress)) throw new Error(`${hostname} does not resolve to public addresses only.`);
  return first;
}

const responseTo = (socket: Duplex, options: http.RequestOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    socket.on("error", reject);
    http
      .request({ ...options, createConnection: () => socket }, resolve)
      .on("error", reject)
      .end();
  });

async function textOf(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`The response is longer than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What `work` resolves to, unless the signal aborts first. */
const beforeAbort = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(new Error("The server did not respond in time."));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
