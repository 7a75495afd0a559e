import {
  type ApiResult,
  type CallOptions,
  callApi,
  type Failure,
  type Fetch,
  isTransient,
  readOffersBaseUrl,
} from "./call-api";
import { IMPRESSION_IDS_MAX, type OffersRequest, type OffersResponse, type SignalsReport } from "./offers-wire";

export type { CallOptions, Failure, Fetch } from "./call-api";
export type * from "./offers-wire";

const KEY = /^svc_(srv|pub)_[a-z2-7]{48}$/;

export interface OffersClientOptions {
  /** The base URL of svc: `https://svc.example`. */
  baseUrl: string;
  /** A channel's server key (`svc_srv_…`), or on a page its browser key (`svc_pub_…`). */
  apiKey: string;
  /** Default: the runtime's `fetch`. */
  fetch?: Fetch | undefined;
}

/** The calls of a publisher's server. Every method rejects with an `OffersError`. */
export interface OffersClient {
  /** Offers for a query; never retried, because each response creates new offers. */
  offers(request: OffersRequest, options?: CallOptions): Promise<OffersResponse>;
  /** Stores the interests of a user or session. Retried only after a rate limit, because each request counts. */
  signals(report: SignalsReport, options?: CallOptions): Promise<void>;
  /**
   * Reports visible offers, in batches of 256. An offer counts once, so a batch is retried when its response is lost.
   */
  impressions(ids: readonly string[], options?: CallOptions): Promise<void>;
}

/**
 * A client of the offers API for Node 20.3+, browsers and edge runtimes. Do not cache responses: an offer counts for two hours and for one reader.
 *
 * @throws TypeError when `baseUrl` is not a URL, `apiKey` not a channel key, or when a server key is used in a page.
 */
export function createOffersClient({ baseUrl, apiKey, fetch }: OffersClientOptions): OffersClient {
  const base = readOffersBaseUrl(baseUrl);
  const isServerKey = kindOf(apiKey) === "srv";
  const json = { "Content-Type": "application/json" };
  const keyHeaders = { ...json, "X-SVC-API-Key": apiKey };
  // Reports need no key; a server key marks them as sent by a server.
  const reportHeaders: Record<string, string> = isServerKey ? keyHeaders : json;
  return {
    async offers(request, options) {
      const call = { fetch, baseUrl: base, path: "/api/v1/offers", headers: keyHeaders, body: request, retries: never };
      const body = unwrap(await callApi(call, options)) as Partial<OffersResponse> | undefined;
      if (Array.isArray(body?.offers)) return body as OffersResponse;
      const message = "The response to POST /api/v1/offers has no list of offers; is baseUrl right?";
      throw new OffersError({ status: 200, code: "unreadable", message });
    },
    async signals(report, options) {
      const retries = ({ code }: Failure): boolean => code === "rate_limited";
      const call = { fetch, baseUrl: base, path: "/api/v1/signals", headers: keyHeaders, body: report, retries };
      unwrap(await callApi(call, options));
    },
    async impressions(ids, options) {
      for (let at = 0; at < ids.length; at += IMPRESSION_IDS_MAX) {
        const body = { ids: ids.slice(at, at + IMPRESSION_IDS_MAX) };
        const path = "/api/v1/impressions/batch";
        const call = { fetch, baseUrl: base, path, headers: reportHeaders, body, retries: isTransient };
        unwrap(await callApi(call, options));
      }
    },
  };
}

/** A failed call; `message` is a full sentence with the status, the field and the request ID. */
export class OffersError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The API's error code, or `timeout`, `network` (no response), `unreadable` (not a response of svc). */
  readonly code: Failure["code"];
  /** The invalid field: `signals[0].confidence`. */
  readonly param: string | undefined;
  /** Include it when you report a problem. */
  readonly requestId: string | undefined;
  /** Seconds after which a retry can succeed. */
  readonly retry_after: number | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor({ status, code, message, param, requestId, retryAfterSeconds, details, cause }: Failure) {
    super(message, { cause });
    this.name = "OffersError";
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
    this.retry_after = retryAfterSeconds;
    this.details = details;
  }
}

function unwrap(result: ApiResult): unknown {
  if ("failure" in result) throw new OffersError(result.failure);
  return result.body;
}

const never = (): boolean => false;

function kindOf(apiKey: string): string | undefined {
  const kind = KEY.exec(apiKey)?.[1];
  if (!kind) {
    throw new TypeError(
      "apiKey must be a channel key: svc_srv_ or svc_pub_ and 48 letters and digits, as shown once by the dashboard.",
    );
  }
  if (kind === "srv" && typeof document !== "undefined") {
    throw new TypeError("A server key (svc_srv_) must not be used in a page, where anyone can read it; use svc_pub_.");
  }
  return kind;
}
