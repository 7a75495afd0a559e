import { GuardedFetchError } from "../../engines/address-policy";
import { type GuardedResponse, guardedRequest, type Network } from "../../engines/guarded-fetch";
import { contentCodingOf } from "../../kernel/content-coding";
import { type FeedFormat, knownFormatOf } from "../products/feed-format";
import { charsetParameter } from "../products/feed-text";
import { FetchFailure } from "./fetch-failure";
import type { FetchLimits } from "./fetch-limits";

const VALIDATOR_LENGTH_MAX = 500;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const NOT_MODIFIED = 304;
const CODE_LENGTH_MAX = 100;

export interface FeedRequest {
  url: string;
  /** Sent only to the origin of `url`. */
  authorization: string | undefined;
  etag: string | null;
  lastModified: string | null;
  userAgent: string;
}

export interface DownloadParts {
  network?: Network | undefined;
  limits: Pick<FetchLimits, "redirectsMax" | "responseMs">;
  /** Closes the connection. */
  signal: AbortSignal;
}

export interface FeedResponse extends Pick<GuardedResponse, "status" | "body" | "close"> {
  format: FeedFormat | undefined;
  charset: string | undefined;
  isGzip: boolean;
  /** Whether a response that is cut off is noticed: it has a length or consists of chunks. */
  isDelimited: boolean;
  etag: string | null;
  lastModified: string | null;
}

/**
 * Requests a feed, with the validators of the last import if there are any, and follows redirects, each through the
 * guard. Returns a response with status 200 whose body is still to be read, or undefined for one that the server did not
 * modify. Throws FetchFailure.
 */
export async function downloadFeed(request: FeedRequest, parts: DownloadParts): Promise<FeedResponse | undefined> {
  const { origin } = new URL(request.url);
  let url = request.url;
  for (let redirects = 0; ; redirects++) {
    const headers = headersOf(request, { isOwnOrigin: new URL(url).origin === origin });
    const response = await respond(url, { ...parts, headers });
    const { status } = response;
    if (status === 200) return accepted(response);
    response.close();
    if (status === NOT_MODIFIED && isConditional(request)) return undefined;
    if (!REDIRECTS.has(status)) throw wrongStatus(status);
    if (redirects >= parts.limits.redirectsMax) throw tooManyRedirects(parts.limits.redirectsMax);
    url = targetOf(response, url);
  }
}

const isConditional = ({ etag, lastModified }: FeedRequest): boolean => etag !== null || lastModified !== null;

function headersOf(
  { authorization, etag, lastModified, userAgent }: FeedRequest,
  { isOwnOrigin }: { isOwnOrigin: boolean },
): Record<string, string> {
  return {
    "user-agent": userAgent,
    accept: "*/*",
    "accept-encoding": "gzip, identity",
    ...(etag !== null && { "if-none-match": etag }),
    ...(lastModified !== null && { "if-modified-since": lastModified }),
    ...(authorization !== undefined && isOwnOrigin && { authorization }),
  };
}

async function respond(
  url: string,
  { network, limits, signal, headers }: DownloadParts & { headers: Record<string, string> },
): Promise<GuardedResponse> {
  try {
    const options = { timeoutMs: limits.responseMs, headers, signal };
    return await guardedRequest(url, network ? { ...options, network } : options);
  } catch (cause) {
    throw failureOf(cause, new URL(url).host);
  }
}

function failureOf(cause: unknown, host: string): FetchFailure {
  if (cause instanceof GuardedFetchError) {
    const codes = { too_late: "timeout", not_https: "unexpected_redirect" } as const;
    const code =
      cause.reason === "too_late" || cause.reason === "not_https" ? codes[cause.reason] : "address_not_allowed";
    return new FetchFailure(code, cause.message);
  }
  const { code } = (cause ?? {}) as { code?: unknown };
  const why = typeof code === "string" ? ` (${code.slice(0, CODE_LENGTH_MAX)})` : "";
  return new FetchFailure("connection_failed", `The connection to ${host} failed${why}.`);
}

function accepted(response: GuardedResponse): FeedResponse {
  const { headers } = response;
  const encoding = headers["content-encoding"];
  const coding = contentCodingOf(encoding);
  if (!coding) {
    response.close();
    throw new FetchFailure(
      "not_a_feed",
      `The server sent Content-Encoding "${encoding?.slice(0, 40)}", not gzip.`,
      200,
    );
  }
  const type = headers["content-type"];
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type ?? "")) {
    response.close();
    throw webPage();
  }
  return {
    ...response,
    format: knownFormatOf(type),
    charset: charsetParameter(type),
    isGzip: coding === "gzip",
    isDelimited: headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined,
    etag: validatorOf(headers.etag),
    lastModified: validatorOf(headers["last-modified"]),
  };
}

/** Node has already rejected control characters. */
const validatorOf = (value: string | undefined): string | null =>
  value === undefined || value === "" || value.length > VALIDATOR_LENGTH_MAX || /[^\x20-\x7e]/.test(value)
    ? null
    : value;

function targetOf({ headers, status }: GuardedResponse, from: string): string {
  const { location } = headers;
  const host = new URL(from).host;
  if (location === undefined || !URL.canParse(location, from)) {
    throw new FetchFailure(
      "unexpected_redirect",
      `${host} responded with status ${status} without a valid Location.`,
      status,
    );
  }
  const target = new URL(location, from);
  if (target.protocol !== "https:") {
    throw new FetchFailure(
      "unexpected_redirect",
      `${host} redirects to a URL that does not begin with https:.`,
      status,
    );
  }
  return target.href;
}

const webPage = (): FetchFailure =>
  new FetchFailure("not_a_feed", "The URL returns a web page (HTML) instead of a product feed.", 200);

function wrongStatus(status: number): FetchFailure {
  const hint =
    status === 401 || status === 403
      ? " Check the user name and password."
      : status === 404 || status === 410
        ? " Check the URL."
        : "";
  return new FetchFailure("http_status", `The server responded with status ${status} instead of 200.${hint}`, status);
}

const tooManyRedirects = (redirectsMax: number): FetchFailure =>
  new FetchFailure("too_many_redirects", `The URL redirects more than ${redirectsMax} times.`);
