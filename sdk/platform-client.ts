import { type Fetch, readBaseUrl } from "./call-api";
import { OPERATIONS } from "./generated/operations";
import type { PlatformClient } from "./generated/platform-types";
import type { CallOptions, Operation, Page, Pages } from "./operation";
import { buildRequest } from "./operation-request";
import type { Failure, ParseJson } from "./parse-response";
import { sendOperation, type Timing, type Transport } from "./send-operation";
import { sleep } from "./sleep";
import { VERSION } from "./version";

export type { Fetch } from "./call-api";
// biome-ignore lint/performance/noBarrelFile: what callers write data of theirs with.
export { parseJson, stringifyJson } from "./exact-json";
export type * from "./generated/platform-types";
export type { CallOptions, FeedBody, Page, Pages } from "./operation";
export type { ParseJson } from "./parse-response";
export type { Timing } from "./send-operation";

const KEY = /^svc_(live|test)_[a-z2-7]{48}$/;
const CHANNEL_KEY = /^svc_(srv|pub)_[a-z2-7]{48}$/;

export interface PlatformClientOptions extends Pick<CallOptions, "timeoutMs" | "totalTimeoutMs" | "retries"> {
  /** The base URL of svc: `https://svc.example`. */
  baseUrl: string;
  /** A platform key (`svc_live_…`, `svc_test_…`). For servers only. */
  key?: string | undefined;
  /** Instead of a key: the session token of `auth.login`, or a function that returns the current one. */
  accessToken?: string | (() => string | Promise<string>) | undefined;
  /** For `offers.serve` and `signals.report`: a channel key (`svc_srv_…`, on a page `svc_pub_…`). */
  channelKey?: string | undefined;
  /** Default: the runtime's `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * How the JSON of responses is read. Default: a whole number of which a `number` does not keep all digits,
   * as messages, results and other data of yours can have, is a `BigInt`; `JSON.parse` makes it a number near it.
   */
  parseJson?: ParseJson | undefined;
  /** Called before every retry, with the failure and the delay. */
  onRetry?: ((failure: SvcError, pauseMs: number) => void) | undefined;
  /** Clock and randomness; default: the runtime's. */
  timing?: Partial<Timing> | undefined;
}

/**
 * A client of both APIs for Node 20.3+ and browsers: `client.keys.create({ name, project, scopes })`. Each input has the API's fields, including path parameters.
 *
 * @throws TypeError when `baseUrl` is not a URL, a key is malformed, or a secret key is used in a page.
 */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const call = createCaller(options);
  const client: Record<string, Record<string, unknown>> = {};
  for (const operation of Object.values<Operation>(OPERATIONS)) {
    const group = client[operation.noun] ?? {};
    group[operation.verb] = (input: Input = {}, callOptions: CallOptions = {}) => call(operation, input, callOptions);
    client[operation.noun] = group;
  }
  return client as unknown as PlatformClient;
}

/** A failed call; `message` is a full sentence with the operation, the status, the field and the request ID. */
export class SvcError extends Error {
  /** The API's error code, or `timeout`, `network` (no response), `unreadable` (not a response of svc). */
  readonly code: Failure["code"];
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The API's message, without the details that `message` adds. */
  readonly reason: string;
  /** Include it when you report a problem. */
  readonly requestId: string | undefined;
  /** The invalid field: `scopes[1]`. */
  readonly param: string | undefined;
  /** Seconds after which a retry can succeed. */
  readonly retry_after: number | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor({ code, status, message, reason, requestId, param, retryAfterSeconds, details, cause }: Failure) {
    super(message, { cause });
    this.name = "SvcError";
    this.code = code;
    this.status = status;
    this.reason = reason ?? message;
    this.requestId = requestId;
    this.param = param;
    this.retry_after = retryAfterSeconds;
    this.details = details;
  }
}

type Input = Record<string, unknown>;
type Caller = (operation: Operation, input: Input, options: CallOptions) => Promise<unknown> | Pages<unknown>;

/** Calls single operations; lists return `Pages`. For options see `createPlatformClient`. */
export function createCaller(options: PlatformClientOptions): Caller {
  const baseUrl = readBaseUrl(options.baseUrl);
  assertKeys(options);
  const transport: Transport = {
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    parseJson: options.parseJson,
    onRetry: (failure, pauseMs) => options.onRetry?.(new SvcError(failure), pauseMs),
    now: () => performance.now(),
    random: Math.random,
    sleep,
    ...options.timing,
  };
  const send = async (operation: Operation, input: Input, given: CallOptions): Promise<unknown> => {
    const requestId = given.requestId ?? newUuid();
    const headers: Record<string, string> = {
      ...(await credentialsOf(operation, options)),
      "X-Request-ID": requestId,
      ...userAgent(),
    };
    if (operation.idempotent) headers["Idempotency-Key"] = given.idempotencyKey ?? newUuid();
    const sending = buildRequest(operation, input, { baseUrl, headers });
    const result = await sendOperation(sending, transport, {
      signal: given.signal,
      timeoutMs: given.timeoutMs ?? options.timeoutMs,
      totalTimeoutMs: given.totalTimeoutMs ?? options.totalTimeoutMs,
      retries: given.retries ?? options.retries,
    });
    if ("failure" in result) throw new SvcError(result.failure);
    return result.body;
  };
  return (operation, input, given) =>
    operation.paged
      ? pagesOf((cursor) => send(operation, { ...input, ...cursor }, given) as Promise<Page<unknown>>)
      : send(operation, input, given);
}

function pagesOf<T>(fetchPage: (cursor: { cursor?: string }) => Promise<Page<T>>): Pages<T> {
  async function* pages(): AsyncGenerator<Page<T>> {
    let page = await fetchPage({});
    for (;;) {
      yield page;
      if (page.next_cursor === null) return;
      page = await fetchPage({ cursor: page.next_cursor });
    }
  }
  return {
    page: () => fetchPage({}),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
}

async function credentialsOf(
  { noun, verb, credential }: Operation,
  { key, accessToken, channelKey }: PlatformClientOptions,
): Promise<Record<string, string>> {
  if (credential !== "platform") {
    if (credential === "channel" && !channelKey) throw new TypeError(`${noun}.${verb} needs the option channelKey.`);
    return channelKey ? { "X-SVC-API-Key": channelKey } : {};
  }
  const token = key ?? (typeof accessToken === "function" ? await accessToken() : accessToken);
  if (!token) throw new TypeError(`${noun}.${verb} needs one of the options key and accessToken.`);
  return { Authorization: `Bearer ${token}` };
}

/** No message contains the key: it may be a real key with a typo. */
function assertKeys({ key, accessToken, channelKey }: PlatformClientOptions): void {
  if (key !== undefined && accessToken !== undefined) throw new TypeError("Give one of key and accessToken, not both.");
  if (key !== undefined && !KEY.test(key)) {
    throw new TypeError("key must be a platform key: svc_live_ or svc_test_ and 48 letters and digits.");
  }
  if (channelKey !== undefined && !CHANNEL_KEY.test(channelKey)) {
    throw new TypeError("channelKey must be a channel key: svc_srv_ or svc_pub_ and 48 letters and digits.");
  }
  if (typeof document === "undefined") return;
  if (key !== undefined || channelKey?.startsWith("svc_srv_")) {
    throw new TypeError("A secret key must not be used in a page, where anyone can read it; use accessToken.");
  }
}

/** Browsers set their own User-Agent. */
const userAgent = (): Record<string, string> =>
  typeof document === "undefined" ? { "User-Agent": `svc-sdk/${VERSION}` } : {};

/** A version 4 UUID; `crypto.randomUUID` is missing on pages without https. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20),
  ];
  return parts.join("-");
}
