import type { Fetch } from "../call-api";
import { errorText } from "../parse-response";
import { ResponseError } from "../response-error";
import type { Timing } from "../send-operation";
import { VERSION } from "../version";
import { encodeS3, type S3Access, sha256, signRequest } from "./sign-request";
import { parseXml, textOf, type XmlElement } from "./xml";

const RETRIES_MAX = 8;
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 20_000;
/** Access is renewed this long before it ends. */
const RENEW_BEFORE_MS = 60_000;
const CHUNK_BYTES = 64 * 1024;
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  bucket?: string | undefined;
  key?: string | undefined;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the bytes of the body as they are sent; negative when an attempt failed and they are sent again. */
  onSent?: ((bytes: number) => void) | undefined;
}

export interface S3Options extends Timing {
  fetch: Fetch;
  /** New access to the endpoint; called before the first request, and again when it ends. */
  access: () => Promise<S3Access>;
  /** Milliseconds since 1970. */
  today: () => number;
  onRetry: (failure: ResponseError, pauseMs: number) => void;
}

/** Signed requests to an S3 endpoint, with retries after 429, 5xx and broken connections. */
export class S3Client {
  readonly #options: S3Options;
  #access: Promise<S3Access> | undefined;
  /** Server's time minus own time, once the server has rejected a request for it. */
  #skewMs = 0;

  constructor(options: S3Options) {
    this.#options = options;
  }

  /**
   * Sends a request, and resolves with what `read` makes of the successful response. `make` is called for every attempt,
   * `read` may be called for several. The retries start again when `make` returns a request that has advanced, such as
   * a later range.
   *
   * Rejects with a ResponseError, or with the signal's reason.
   */
  async send<T>(make: () => S3Request, read: (response: Response) => Promise<T>): Promise<T> {
    const { random, sleep, onRetry } = this.#options;
    let range: string | undefined;
    for (let attempt = 0; ; attempt++) {
      const request = make();
      if (request.headers?.range !== range) attempt = 0;
      range = request.headers?.range;
      request.signal?.throwIfAborted();
      try {
        return await this.#sendOnce(request, read);
      } catch (failure) {
        request.signal?.throwIfAborted();
        if (!(failure instanceof ResponseError) || attempt >= RETRIES_MAX || !canRetry(failure)) throw failure;
        const backoffMs = random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** attempt);
        const pauseMs = failure.code === SKEWED ? 0 : (failure.retry_after ?? 0) * 1000 + backoffMs;
        onRetry(failure, pauseMs);
        await sleep(pauseMs, request.signal);
      }
    }
  }

  /** The XML of a response; a 200 that contains an error, as S3 sends it for long operations, is rejected. */
  xml(request: S3Request): Promise<XmlElement> {
    return this.send(
      () => request,
      async (response) => {
        const document = readXml(await response.text());
        if (!document) {
          const message = `The response of ${new URL(response.url || "http://svc").origin} is not one of S3.`;
          throw new ResponseError({ status: 502, code: "unreadable", message });
        }
        if (document.name === "Error") throw errorOf(document, 500, response);
        return document;
      },
    );
  }

  /** The headers of a response whose body does not matter. */
  headers(request: S3Request): Promise<Headers> {
    return this.send(
      () => request,
      async (response) => {
        await response.arrayBuffer();
        return response.headers;
      },
    );
  }

  async #sendOnce<T>(request: S3Request, read: (response: Response) => Promise<T>): Promise<T> {
    const access = await this.#current();
    const { url, headers } = this.#signed(request, access);
    let sent = 0;
    const count = (bytes: number): void => {
      sent += bytes;
      request.onSent?.(bytes);
    };
    try {
      const response = await this.#options.fetch(url.href, {
        method: request.method,
        headers,
        redirect: "manual",
        cache: "no-store",
        ...(request.body && request.body.byteLength > 0 ? { body: streamOf(request.body, count), duplex: "half" } : {}),
        ...(request.signal ? { signal: request.signal } : {}),
      });
      if (!response.ok) throw await this.#rejection(response);
      return await read(response);
    } catch (failure) {
      if (sent > 0) request.onSent?.(-sent);
      if (failure instanceof ResponseError || !isConnectionFailure(failure)) throw failure;
      const message = `The connection to ${url.origin} failed: ${errorText(failure)}`;
      throw new ResponseError({ status: 0, code: "network", message, cause: failure });
    }
  }

  /** One access for all requests that are sent at the same time. */
  async #current(): Promise<S3Access> {
    this.#access ??= this.#options.access();
    const asked = this.#access;
    try {
      const access = await asked;
      if (access.expiresAt - this.#options.today() > RENEW_BEFORE_MS) return access;
    } catch (failure) {
      if (this.#access === asked) this.#access = undefined;
      throw failure;
    }
    if (this.#access === asked) this.#access = this.#options.access();
    return this.#access;
  }

  #signed({ method, bucket, key, query = {}, headers = {}, body }: S3Request, access: S3Access) {
    // A URL cannot contain such segments: they would name another object.
    if (key?.split("/").some((segment) => segment === "." || segment === "..")) {
      const message = 'A key with "." or ".." between slashes cannot be addressed by a URL.';
      throw new ResponseError({ status: 400, code: "InvalidKey", message });
    }
    const url = new URL(access.endpoint);
    const path = [bucket, key]
      .filter((part) => part !== undefined)
      .map((part) => `/${part.split("/").map(encodeS3).join("/")}`);
    url.pathname = `${url.pathname.replace(/\/$/, "")}${path.join("") || "/"}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The signature covers %20, and URLSearchParams writes a plus sign.
    url.search = url.search.replaceAll("+", "%20");
    const isPrivate = url.protocol === "https:" || LOOPBACK.test(url.hostname);
    const payloadHash = body && isPrivate ? "UNSIGNED-PAYLOAD" : sha256(body ?? "");
    const sent = {
      "user-agent": `svc-sdk/${VERSION}`,
      ...headers,
      ...(body ? { "content-length": String(body.byteLength) } : {}),
    };
    const { "user-agent": agent, "content-length": length, ...covered } = sent as Record<string, string>;
    const now = new Date(this.#options.today() + this.#skewMs);
    const signed = signRequest({ method, url, headers: covered, payloadHash }, access, now);
    const more = { ...(agent ? { "user-agent": agent } : {}), ...(length ? { "content-length": length } : {}) };
    return { url, headers: { ...signed, ...more } };
  }

  async #rejection(response: Response): Promise<ResponseError> {
    const text = await response.text();
    const failure = errorOf(readXml(text), response.status, response);
    const date = Date.parse(response.headers.get("date") ?? "");
    if (failure.code === SKEWED && Number.isFinite(date) && this.#skewMs === 0) {
      this.#skewMs = date - this.#options.today();
      return failure;
    }
    if (failure.code !== SKEWED) return failure;
    const { status, message, requestId } = failure;
    return new ResponseError({ status, code: "RequestTimeSkewed", message, requestId });
  }
}

const SKEWED = "RequestTimeTooSkewed";

const canRetry = ({ status, code }: ResponseError): boolean =>
  status === 0 || status === 429 || (status >= 500 && status !== 501) || code === "RequestTimeout" || code === SKEWED;

const CONNECTION_CODES = /^(UND_ERR_|E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))/;

/** What `fetch` and the reading of a body reject with; failures of files and of the program are others. */
function isConnectionFailure(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { message, cause } = failure;
  const code = (failure as { code?: unknown }).code ?? (cause as { code?: unknown } | undefined)?.code;
  return message === "fetch failed" || message === "terminated" || CONNECTION_CODES.test(String(code));
}

function readXml(text: string): XmlElement | undefined {
  try {
    return parseXml(text);
  } catch {
    return undefined;
  }
}

function errorOf(document: XmlElement | undefined, status: number, { headers }: Response): ResponseError {
  const code = (document && textOf(document, "Code")) || CODES[status] || `status ${status}`;
  const message = (document && textOf(document, "Message")) || `The response is ${status}.`;
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new ResponseError({
    status,
    code,
    message,
    requestId: headers.get("x-request-id") ?? headers.get("x-amz-request-id") ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** For responses without a body, which those to HEAD are. */
const CODES: Readonly<Record<number, string>> = {
  403: "AccessDenied",
  404: "NotFound",
  412: "PreconditionFailed",
  429: "SlowDown",
};

/** The bytes in chunks, so that what was sent can be counted. */
function streamOf(bytes: Uint8Array, count: (bytes: number) => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = bytes.subarray(at, at + CHUNK_BYTES);
        at += chunk.byteLength;
        if (chunk.byteLength > 0) controller.enqueue(chunk);
        count(chunk.byteLength);
        if (at >= bytes.byteLength) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
