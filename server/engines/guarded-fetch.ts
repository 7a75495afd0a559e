import { lookup } from "node:dns/promises";
import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
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

export interface GuardedRequest {
  /** From the lookup of the name to the response's headers. */
  timeoutMs: number;
  network?: Network;
  headers?: Readonly<Record<string, string>>;
  /** Closes the connection. */
  signal?: AbortSignal;
}

export interface GuardedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
  /** Closes the connection. */
  close(): void;
}

export interface GuardedFetch extends Pick<GuardedRequest, "timeoutMs" | "network"> {
  bodyBytesMax: number;
}

/** A request that was not sent or got no response in time; the message is a sentence without the URL's path. */
export class GuardedFetchError extends Error {
  constructor(
    readonly reason: "not_https" | "no_address" | "address_not_public" | "too_late",
    message: string,
  ) {
    super(message);
    this.name = "GuardedFetchError";
  }
}

export const publicNetwork: Network = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  connect: ({ address, port, hostname }) => tls.connect({ host: address, port, servername: hostname }),
};

/**
 * GETs an https URL that a tenant chose and returns the response, whose body is still to be read, and `close`. Every
 * address of the host must be public, and the connection goes to one of the checked addresses, so that a later change
 * of the name's resolution has no effect. Redirects are not followed: a caller that follows one calls this again, which
 * checks the new address. Throws GuardedFetchError, and the errors of DNS, TLS and the connection.
 */
export async function guardedRequest(
  url: string,
  { timeoutMs, network = publicNetwork, headers = {}, signal }: GuardedRequest,
): Promise<GuardedResponse> {
  const { protocol, hostname, port, pathname, search, host } = new URL(url);
  if (protocol !== "https:") throw new GuardedFetchError("not_https", `The URL on ${host} does not begin with https:.`);
  const late = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, late]) : late;
  const address = await beforeAbort(either, publicAddressOf(network, hostname));
  const socket = network.connect({ address, port: Number(port || HTTPS_PORT), hostname });
  const close = () => void socket.destroy();
  signal?.addEventListener("abort", close, { once: true });
  socket.once("close", () => signal?.removeEventListener("abort", close));
  try {
    const options = { method: "GET", path: pathname + search, headers: { ...headers, host } };
    const body = await beforeAbort(either, responseTo(socket, options));
    return { status: body.statusCode ?? 0, headers: body.headers, body, close };
  } catch (cause) {
    close();
    throw cause;
  }
}

/**
 * GETs a URL like `guardedRequest` and returns its status and body as text, all of it within `timeoutMs`. Also throws
 * an Error with a sentence for a body that is too long.
 */
export async function guardedFetch(
  url: string,
  { timeoutMs, bodyBytesMax, network = publicNetwork }: GuardedFetch,
): Promise<{ status: number; body: string }> {
  const late = AbortSignal.timeout(timeoutMs);
  const { status, body, close } = await guardedRequest(url, { timeoutMs, network });
  try {
    return { status, body: await beforeAbort(late, textOf(body, bodyBytesMax)) };
  } finally {
    close();
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
  if (first === undefined) throw new GuardedFetchError("no_address", `${hostname} has no address.`);
  if (!addresses.every(isPublicAddress)) {
    throw new GuardedFetchError("address_not_public", `${hostname} does not resolve to public addresses only.`);
  }
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
    const abort = () => reject(new GuardedFetchError("too_late", "The server did not respond in time."));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
