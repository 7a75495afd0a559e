import type { IncomingMessage } from "node:http";
import { type AddressPolicy, GuardedFetchError } from "../../../engines/address-policy";
import { guardedRequest, type Network } from "../../../engines/guarded-fetch";

const RESPONSE_BYTES_MAX = 64 * 1024;
const CODE_LENGTH_MAX = 60;

export interface PostEvent {
  url: string;
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

export interface PostParts {
  network: Network | undefined;
  policy: AddressPolicy;
  /** From the lookup of the name to the end of the body. */
  timeoutMs: number;
}

/** What came of a request: a status, or the reason why there is none. */
export interface PostResult {
  statusCode: number | undefined;
  /** undefined for a success. */
  error: string | undefined;
  /** The beginning of the response; undefined without one. */
  responseBody: string | undefined;
  retryAfter: string | undefined;
}

/**
 * POSTs an event on a connection of its own and reads the first 64 KiB of the response, all of it within `timeoutMs`; a
 * body that takes longer is cut there. Never throws.
 */
export async function postEvent({ url, body, headers }: PostEvent, parts: PostParts): Promise<PostResult> {
  const { network, policy, timeoutMs } = parts;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const { signal } = late;
  try {
    const { status, ...response } = await guardedRequest(url, { timeoutMs, network, policy, signal, headers, body });
    const responseBody = await readBeginning(response.body, signal);
    response.close();
    const retryAfter = response.headers["retry-after"];
    return { statusCode: status, error: statusError(status), responseBody, retryAfter };
  } catch (cause) {
    return { statusCode: undefined, error: errorOf(cause, timeoutMs), responseBody: undefined, retryAfter: undefined };
  } finally {
    clearTimeout(timer);
  }
}

function statusError(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `The endpoint responded with status ${status}; redirects are not followed.`;
  return `The endpoint responded with status ${status}.`;
}

/** The text that has come when there are 64 KiB, the response ends or breaks, or the time is up; without NUL. */
function readBeginning(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve(textOf(Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX)));
    };
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= RESPONSE_BYTES_MAX) end();
    });
    response.once("end", end).once("close", end).on("error", end);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

/** Postgres stores no NUL; bytes that are not UTF-8 become U+FFFD, also a character that is cut at the end. */
const textOf = (bytes: Buffer): string => bytes.toString("utf8").replaceAll("\0", "\ufffd");

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "The host name of the URL does not exist.",
  ENODATA: "The host name of the URL has no address.",
  ETIMEOUT: "The DNS servers of the host name did not respond.",
  ESERVFAIL: "The DNS servers of the host name failed.",
  ECONNREFUSED: "The endpoint refused the connection.",
  ECONNRESET: "The endpoint closed the connection without a response.",
  EPIPE: "The endpoint closed the connection without a response.",
  EHOSTUNREACH: "The endpoint cannot be reached.",
  ENETUNREACH: "The endpoint cannot be reached.",
  CERT_HAS_EXPIRED: "The certificate of the endpoint has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate of the endpoint is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate chain of the endpoint is self-signed.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate chain of the endpoint is incomplete.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate of the endpoint is for another host name.",
};

function errorOf(cause: unknown, timeoutMs: number): string {
  if (cause instanceof GuardedFetchError) {
    return cause.reason === "too_late" ? `The endpoint did not respond within ${timeoutMs / 1000} s.` : cause.message;
  }
  const { code } = (cause ?? {}) as { code?: unknown };
  if (typeof code !== "string") return "The connection to the endpoint failed.";
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (code.startsWith("HPE_")) return "The endpoint did not respond with valid HTTP.";
  return `The connection to the endpoint failed (${code.slice(0, CODE_LENGTH_MAX)}).`;
}
