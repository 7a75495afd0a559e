import { type Fetch, readBaseUrl } from "./call-api";
import { OPERATIONS } from "./generated/operations";
import type { PlatformClient } from "./generated/platform-types";
import type { CallOptions, Operation, Page, Pages } from "./operation";
import { sendingOf } from "./operation-request";
import type { Failure } from "./read-answer";
import { sendOperation, type Timing, type Transport } from "./send-operation";
import { VERSION } from "./version";

export type { Fetch } from "./call-api";
export type * from "./generated/platform-types";
export type { CallOptions, FeedBody, Page, Pages } from "./operation";
export type { Timing } from "./send-operation";

const KEY = /^svc_(live|test)_[a-z2-7]{48}$/;
const CHANNEL_KEY = /^svc_(srv|pub)_[a-z2-7]{48}$/;

export interface PlatformClientOptions extends Pick<CallOptions, "timeoutMs" | "totalTimeoutMs" | "retries"> {
  /** Where svc is: `https://svc.example`. */
  baseUrl: string;
  /** A platform key (`svc_live_…`, `svc_test_…`). For servers: a page must not hold one. */
  key?: string | undefined;
  /** Instead of a key: the session token of `auth.login`, or what gives the one that is good now. */
  accessToken?: string | (() => string | Promise<string>) | undefined;
  /** For `offers.serve` and `signals.report`: a channel key (`svc_srv_…`, on a page `svc_pub_…`). */
  channelKey?: string | undefined;
  /** Default: the runtime's own. */
  fetch?: Fetch | undefined;
  /** Hears of every failure after which the call is sent again, and how long it waits before. */
  onRetry?: ((failure: SvcError, pauseMs: number) => void) | undefined;
  /** Time and chance; default: the runtime's. */
  timing?: Partial<Timing> | undefined;
}

/**
 * A client of both APIs for Node 20.3+ and browsers: `client.keys.create({ name, project, scopes })`. Each input has the
 * fields of the API, those of the path among them.
 *
 * @throws TypeError when `baseUrl` is no address, a key has not the shape of one, or a secret key would stand in a page.
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

/** Why a call has no result; `message` is a whole sentence with the operation, the status, the field and the request id. */
export class SvcError extends Error {
  /** The API's own code, or `timeout`, `network` (no answer), `unreadable` (no answer of svc). */
  readonly code: Failure["code"];
  /** Of HTTP; 0 when no answer came. */
  readonly status: number;
  /** The API's own sentence, without the facts that `message` adds. */
  readonly reason: string;
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** The field that is wrong: `scopes[1]`. */
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

/** Calls operations of the table by themselves; lists answer `Pages`. For options see `createPlatformClient`. */
export function createCaller(options: PlatformClientOptions): Caller {
  const baseUrl = readBaseUrl(options.baseUrl);
  requireKeys(options);
  const transport: Transport = {
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
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
      ...agent(),
    };
    if (operation.idempotent) headers["Idempotency-Key"] = given.idempotencyKey ?? newUuid();
    const sending = sendingOf(operation, input, { baseUrl, headers });
    const answer = await sendOperation(sending, transport, {
      signal: given.signal,
      timeoutMs: given.timeoutMs ?? options.timeoutMs,
      totalTimeoutMs: given.totalTimeoutMs ?? options.totalTimeoutMs,
      retries: given.retries ?? options.retries,
    });
    if ("failure" in answer) throw new SvcError(answer.failure);
    return answer.body;
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

/** No message repeats a key: it may be a real one with a slip in it. */
function requireKeys({ key, accessToken, channelKey }: PlatformClientOptions): void {
  if (key !== undefined && accessToken !== undefined) throw new TypeError("Give one of key and accessToken, not both.");
  if (key !== undefined && !KEY.test(key)) {
    throw new TypeError("key must be a platform key: svc_live_ or svc_test_ and 48 letters and digits.");
  }
  if (channelKey !== undefined && !CHANNEL_KEY.test(channelKey)) {
    throw new TypeError("channelKey must be a channel key: svc_srv_ or svc_pub_ and 48 letters and digits.");
  }
  if (typeof document === "undefined") return;
  if (key !== undefined || channelKey?.startsWith("svc_srv_")) {
    throw new TypeError("A secret key must not stand in a page, where everybody can read it; use accessToken.");
  }
}

/** Browsers name themselves. */
const agent = (): Record<string, string> =>
  typeof document === "undefined" ? { "User-Agent": `svc-sdk/${VERSION}` } : {};

/** As `crypto.randomUUID` makes them, which pages without https do not have. */
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

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, ms);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}
