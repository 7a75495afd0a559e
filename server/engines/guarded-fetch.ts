import { lookup } from "node:dns/promises";
import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import net from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import {
  type AddressPolicy,
  GuardedFetchError,
  hostOf,
  isAllowedAddress,
  isLoopbackHost,
  PUBLIC_ONLY,
  refuseUrl,
} from "./address-policy";
import { resolvePublic } from "./resolve-host";

const DEFAULT_PORTS = { "https:": 443, "http:": 80 };

/** Where a connection goes; with `https:` it must prove that the peer is `hostname`. */
export interface Peer {
  protocol: "https:" | "http:";
  address: string;
  port: number;
  hostname: string;
}

/** How a host name becomes a connection; tests pass their own. */
export interface Network {
  /** Every address of a host. */
  resolve(hostname: string): Promise<string[]>;
  /** A connection to one address that carries HTTP. */
  connect(to: Peer): Duplex;
}

export interface GuardedRequest {
  /** From the lookup of the name to the response's headers. */
  timeoutMs: number;
  network?: Network | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Closes the connection. */
  signal?: AbortSignal;
  /** Sent with POST; without a body the request is a GET. */
  body?: Buffer | undefined;
  /** Default: public addresses by https only. */
  policy?: AddressPolicy | undefined;
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

export const publicNetwork: Network = {
  // Programs of a developer's machine are found by its own rules, such as /etc/hosts.
  resolve: async (hostname) =>
    isLoopbackHost(hostname)
      ? (await lookup(hostname, { all: true })).map(({ address }) => address)
      : resolvePublic(hostname),
  connect: ({ protocol, address, port, hostname }) =>
    protocol === "https:"
      ? tls.connect({ host: address, port, ...(net.isIP(hostname) ? {} : { servername: hostname }) })
      : net.connect({ host: address, port }),
};

/**
 * Requests a URL that a tenant chose and returns the response, whose body is still to be read, and `close`. Every
 * address of the host must be public (`policy` may allow loopback addresses), and the connection goes to one of the
 * checked addresses, so that a later change of the name's resolution has no effect. Any port is allowed. Redirects are
 * not followed: a caller that follows one calls this again, which checks the new address. Throws GuardedFetchError, and
 * the errors of DNS, TLS and the connection.
 */
export async function guardedRequest(
  url: string,
  { timeoutMs, network = publicNetwork, headers = {}, signal, body, policy = PUBLIC_ONLY }: GuardedRequest,
): Promise<GuardedResponse> {
  const target = new URL(url);
  refuseUrl(target, policy);
  const { port, pathname, search, host } = target;
  const protocol = target.protocol as Peer["protocol"];
  const hostname = hostOf(target);
  const deadline = deadlineOf(timeoutMs, signal);
  try {
    const address = await beforeAbort(deadline.signal, checkedAddressOf(network, { hostname, policy }));
    const socket = network.connect({ protocol, address, port: Number(port || DEFAULT_PORTS[protocol]), hostname });
    const close = closeOf(socket, signal);
    const options = { method: body ? "POST" : "GET", path: pathname + search, headers: { ...headers, host } };
    const answered = beforeAbort(deadline.signal, responseTo(socket, { options, body }));
    const response = await answered.catch((cause: unknown) => {
      close();
      throw cause;
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: response, close };
  } finally {
    deadline.clear();
  }
}

/** Closes a connection; the signal does so too. */
function closeOf(socket: Duplex, signal: AbortSignal | undefined): () => void {
  const close = () => void socket.destroy();
  signal?.addEventListener("abort", close, { once: true });
  socket.once("close", () => signal?.removeEventListener("abort", close));
  return close;
}

/** A signal that aborts with `signal` or when the time is up; `clear` ends its timer. */
function deadlineOf(timeoutMs: number, signal: AbortSignal | undefined): { signal: AbortSignal; clear(): void } {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  return { signal: either, clear: () => clearTimeout(timer) };
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
 * An address of a host, all of whose addresses the policy allows. Throws GuardedFetchError (`no_address`,
 * `address_not_public`) and the errors of DNS.
 */
export async function checkedAddressOf(
  { resolve }: Network,
  { hostname, policy }: { hostname: string; policy: AddressPolicy },
): Promise<string> {
  const addresses = net.isIP(hostname) ? [hostname] : await resolve(hostname);
  const [first] = addresses;
  if (first === undefined) throw new GuardedFetchError("no_address", `${hostname} has no address.`);
  if (!addresses.every((address) => isAllowedAddress(address, { hostname, policy }))) {
    throw new GuardedFetchError("address_not_public", `${hostname} does not resolve to public addresses only.`);
  }
  return first;
}

const responseTo = (
  socket: Duplex,
  { options, body }: { options: http.RequestOptions; body: Buffer | undefined },
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    socket.on("error", reject);
    http
      .request({ ...options, createConnection: () => socket }, resolve)
      .on("error", reject)
      .end(body);
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
