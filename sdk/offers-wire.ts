/** The offers API on the wire, field by field; a test compares it with the server's schemas and OpenAPI document. */

/** The maximum number of offers per request. */
export const OFFERS_MAX = 8;
/** The maximum number of signals per call. */
export const SIGNALS_MAX = 10;
/** The maximum number of IDs per impression report. */
export const IMPRESSION_IDS_MAX = 256;

/** The body of `POST /api/v1/offers`. All fields are optional, but without a query, context or signal there are no offers. */
export interface OffersRequest {
  /** What the reader searches for or wants; matched first. */
  query?: string | undefined;
  /** What the page is about, or its category. */
  context?: string | undefined;
  /** Where the offer is shown, for reports: letters, digits and `_ . : -`. Default `sponsored_result`. */
  placement?: string | undefined;
  /** A keyed hash that always means the same user, never personal data; frequency caps count by it. */
  user_id?: string | undefined;
  session_id?: string | undefined;
  /** BCP 47, for example `en-GB`. Default `en`. */
  locale?: string | undefined;
  device?: "desktop" | "mobile" | "tablet" | undefined;
  /** ISO 3166-1 alpha-2, for example `DE`. */
  geo?: string | undefined;
  /** 1 to 8, default 1. */
  limit?: number | undefined;
  signals?: Signal[] | null | undefined;
  consent?: Consent | undefined;
}

/** The value of a signal's attribute, or an item of it. */
type Scalar = string | number | boolean | null;

/** A typed hint about what a reader wants. */
export interface Signal {
  /** `purchase_intent`, `price_sensitivity` and others. */
  category?: string | undefined;
  /** 0 to 1. */
  confidence?: number | undefined;
  subject?: string | undefined;
  /** For example `{ budget: 90 }`. A signal is at most 8,192 bytes as JSON. */
  attributes?: Record<string, Scalar | Scalar[]> | undefined;
  /** Ids of an IAB taxonomy. */
  iab?: { type?: string | undefined; version?: string | undefined; ids?: string[] | undefined } | undefined;
}

/** The consent strings of the reader's consent platform, unchanged: IAB TCF v2 and GPP. */
export interface Consent {
  tcf?: string | undefined;
  gpp?: string | undefined;
  gpp_sid?: number[] | undefined;
}

export interface OffersResponse {
  offers: Offer[];
  /** Why there are none: too many requests for this `user_id`, or frequency caps removed every match. */
  reason?: "frequency_cap" | undefined;
}

/** An offer. Its texts come from advertisers: show them as text, and link to `clickUrl` alone. */
export interface Offer {
  id: string;
  title: string;
  content: string;
  /** The text of the button or link. */
  cta: string;
  /** Counts the click, then redirects to the advertiser's page. */
  clickUrl: string;
  source: string;
  /** The requested placement. */
  ad_type: string;
  brand: { name: string; url?: string | undefined; iconUrl?: string | undefined };
  /** `category` has levels separated by `>`. */
  product?: { title: string; category?: string | undefined } | undefined;
  /** `discount` is the whole-number percentage off `originalPrice`. */
  price?:
    | { amount: number; currency: string; originalPrice?: number | undefined; discount?: number | undefined }
    | undefined;
  rating?: { value: number; scale: number; count: number } | undefined;
}

/** The body of `POST /api/v1/signals`; it needs a `user_id` or a `session_id`. */
export interface SignalsReport {
  user_id?: string | undefined;
  session_id?: string | undefined;
  /** 1 to 10. */
  signals: Signal[];
  consent?: Consent | undefined;
}

/** An order, for `POST /api/v1/conversions`. */
export interface ConversionReport {
  /** The advertiser's own number; each order counts once. */
  order_id: string;
  /** `svc_click_id` of the landing page. */
  click_id?: string | undefined;
  /** Needed only where a tenant has several advertisers. */
  advertiser_id?: string | undefined;
  /** A user of the tenant's own channels, as offers requests name it. */
  user_id?: string | undefined;
  /** Micros of the billing currency: 49.90 is 49,900,000. */
  value_micros?: number | undefined;
  currency?: string | undefined;
  /** ISO 8601; default now, at most 90 days ago. */
  occurred_at?: string | undefined;
  mode?: "test" | "live" | undefined;
}

/** The stored order and its attribution. */
export interface ReportedConversion {
  id: string;
  mode: "test" | "live";
  /** An order reported only by a `pixel` is unverified until a server reports it. */
  source: "server" | "pixel";
  order_id: string;
  attribution: "click" | "view" | "none";
  /** Why it is not attributed to a campaign. */
  reason: "unknown_click" | "outside_window" | "no_touch" | null;
  campaign_id: string | null;
  channel_id: string | null;
  touched_at: string | null;
  value_micros: number;
  /** The pixel's value was above a limit of the advertiser, so it counts as 0. */
  over_limit: boolean;
  currency: string;
  occurred_at: string;
  created_at: string;
  /** True when a server had already reported the order. */
  duplicate: boolean;
}

export type ErrorCode =
  | "invalid_request"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "payload_too_large"
  | "unsupported_media_type"
  | "unprocessable"
  | "rate_limited"
  | "quota_exceeded"
  | "internal"
  | "unavailable";

/** The body of every error response. */
export interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    request_id: string;
    /** The invalid field: `signals[0].confidence`. */
    param?: string | undefined;
    /** Seconds after which a retry can succeed. */
    retry_after?: number | undefined;
    details?: Record<string, unknown> | undefined;
  };
}
