import { type AddressPolicy, GuardedFetchError } from "../../../engines/address-policy";
import { type GuardedResponse, guardedRequest, type Network } from "../../../engines/guarded-fetch";
import { contentCodingOf } from "../../../kernel/content-coding";
import { refusedSource, unreadableSource } from "./model-errors";

const RESPONSE_MS = 30_000;
const REDIRECTS_MAX = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CODE_LENGTH_MAX = 60;

export interface RequestParts {
  network?: Network | undefined;
  policy?: AddressPolicy | undefined;
}

/** The first and the last byte. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Requests a range of a file and follows redirects, each through the guard. Returns the response, whose status is 206,
 * or 200 from a server without ranges, and whose body is still to be read. Throws `unavailable` (reason
 * `source_unreadable`) for what may succeed later and `unprocessable` (`source_refused`) for all else.
 */
export async function requestSource(
  url: string,
  { range, signal, ...parts }: RequestParts & { range: ByteRange; signal: AbortSignal },
): Promise<GuardedResponse> {
  const headers = { range: `bytes=${range.first}-${range.last}`, "accept-encoding": "identity", "user-agent": "svc" };
  let target = url;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const response = await respond(target, { ...parts, headers, signal });
    if (response.status === 200 || response.status === 206) return accepted(response, target);
    response.close();
    if (!REDIRECTS.has(response.status)) throw wrongStatus(response.status, target);
    target = redirectOf(response, target);
  }
  throw refusedSource(`the URL redirects more than ${REDIRECTS_MAX} times.`);
}

async function respond(
  url: string,
  { network, policy, headers, signal }: RequestParts & { headers: Record<string, string>; signal: AbortSignal },
): Promise<GuardedResponse> {
  try {
    return await guardedRequest(url, { timeoutMs: RESPONSE_MS, network, policy, headers, signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw failureOf(cause, new URL(url).host);
  }
}

function failureOf(cause: unknown, host: string): Error {
  if (cause instanceof GuardedFetchError) {
    return cause.reason === "too_late" ? unreadableSource(cause.message) : refusedSource(cause.message);
  }
  const { code } = (cause ?? {}) as { code?: unknown };
  const why = typeof code === "string" ? ` (${code.slice(0, CODE_LENGTH_MAX)})` : "";
  return unreadableSource(`the connection to ${host} failed${why}.`, cause);
}

function accepted(response: GuardedResponse, url: string): GuardedResponse {
  const encoding = response.headers["content-encoding"] ?? "";
  if (contentCodingOf(encoding) === "identity") return response;
  response.close();
  throw refusedSource(
    `${new URL(url).host} sends the file with Content-Encoding ${encoding.slice(0, CODE_LENGTH_MAX)}; expected none.`,
  );
}

function redirectOf({ headers: { location }, status }: GuardedResponse, from: string): string {
  if (location !== undefined && URL.canParse(location, from)) return new URL(location, from).href;
  throw refusedSource(`${new URL(from).host} responded with status ${status} without a valid Location.`);
}

function wrongStatus(status: number, url: string): Error {
  const what = `${new URL(url).host} responded with status ${status}`;
  if (status === 429 || status >= 500) return unreadableSource(`${what}; try again later.`);
  const hint =
    status === 401 || status === 403
      ? "; a private file needs a URL that contains its authorization, such as a presigned one."
      : "; check the URL.";
  return refusedSource(what + hint);
}
