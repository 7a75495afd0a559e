import {
  type ApiAnswer,
  type CallOptions,
  callApi,
  type Failure,
  type Fetch,
  isPassing,
  readBaseUrl,
} from "./call-api";
import { IMPRESSION_IDS_MAX, type OffersAnswer, type OffersRequest, type SignalsReport } from "./offers-wire";

export type { CallOptions, Failure, Fetch } from "./call-api";
export type * from "./offers-wire";

const KEY = /^svc_(srv|pub)_[a-z2-7]{48}$/;

export interface OffersClientOptions {
  /** Where svc is: `https://svc.example`. */
  baseUrl: string;
  /** A channel's server key (`svc_srv_…`), or on a page its browser key (`svc_pub_…`). */
  apiKey: string;
  /** Default: the runtime's own. */
  fetch?: Fetch | undefined;
}

/** What a publisher's server asks and reports. Every method rejects with an `OffersError`. */
export interface OffersClient {
  /** Offers for a query; asked once, because each answer mints offers. */
  offers(request: OffersRequest, options?: CallOptions): Promise<OffersAnswer>;
  /** Remembers what a user or session wants. Sent again only after a limit, because each arrival counts. */
  signals(report: SignalsReport, options?: CallOptions): Promise<void>;
  /**
   * Reports offers that were really visible, in batches of 256; each counts once, so a batch whose answer was lost is
   * sent again.
   */
  impressions(ids: readonly string[], options?: CallOptions): Promise<void>;
}

/**
 * A client of the offers API for Node 20.3+, browsers and edge runtimes. Never keep an answer: offers count for two
 * hours, each for one reader.
 *
 * @throws TypeError when `baseUrl` is no address, `apiKey` no channel key, or a server key would stand in a page.
 */
export function createOffersClient({ baseUrl, apiKey, fetch }: OffersClientOptions): OffersClient {
  const base = readBaseUrl(baseUrl);
  const isServerKey = kindOf(apiKey) === "srv";
  const json = { "Content-Type": "application/json" };
  const keyed = { ...json, "X-SVC-API-Key": apiKey };
  // Reports need no key; a server key says that a server reports.
  const reporting: Record<string, string> = isServerKey ? keyed : json;
  return {
    async offers(request, options) {
      const call = { fetch, baseUrl: base, path: "/api/v1/offers", headers: keyed, body: request, retries: never };
      const answer = bodyOf(await callApi(call, options)) as Partial<OffersAnswer> | undefined;
      if (Array.isArray(answer?.offers)) return answer as OffersAnswer;
      const message = "svc answered POST /api/v1/offers without a list of offers; is baseUrl right?";
      throw new OffersError({ status: 200, code: "unreadable", message });
    },
    async signals(report, options) {
      const retries = ({ code }: Failure): boolean => code === "rate_limited";
      const call = { fetch, baseUrl: base, path: "/api/v1/signals", headers: keyed, body: report, retries };
      bodyOf(await callApi(call, options));
    },
    async impressions(ids, options) {
      for (let at = 0; at < ids.length; at += IMPRESSION_IDS_MAX) {
        const body = { ids: ids.slice(at, at + IMPRESSION_IDS_MAX) };
        const path = "/api/v1/impressions/batch";
        const call = { fetch, baseUrl: base, path, headers: reporting, body, retries: isPassing };
        bodyOf(await callApi(call, options));
      }
    },
  };
}

/** Why a call has no result; `message` is a whole sentence with the status, the field and the request id. */
export class OffersError extends Error {
  /** Of HTTP; 0 when no answer came. */
  readonly status: number;
  /** The API's own code, or `timeout`, `network` (no answer), `unreadable` (no answer of svc). */
  readonly code: Failure["code"];
  /** The field that is wrong: `signals[0].confidence`. */
  readonly param: string | undefined;
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor({ status, code, message, param, requestId, retryAfterSeconds, details, cause }: Failure) {
    super(message, { cause });
    this.name = "OffersError";
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.details = details;
  }
}

function bodyOf(answer: ApiAnswer): unknown {
  if ("failure" in answer) throw new OffersError(answer.failure);
  return answer.body;
}

const never = (): boolean => false;

function kindOf(apiKey: string): string | undefined {
  const kind = KEY.exec(apiKey)?.[1];
  if (!kind) {
    throw new TypeError(
      "apiKey must be a channel key: svc_srv_ or svc_pub_ and 48 letters and digits, as the dashboard showed it once.",
    );
  }
  if (kind === "srv" && typeof document !== "undefined") {
    throw new TypeError("A server key (svc_srv_) must not stand in a page, where everybody can read it; use svc_pub_.");
  }
  return kind;
}
