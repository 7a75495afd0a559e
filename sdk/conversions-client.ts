import { type CallOptions, callApi, type Fetch, isTransient, readOffersBaseUrl } from "./call-api";
import { OffersError } from "./offers-client";
import type { ConversionReport, ReportedConversion } from "./offers-wire";

const KEY = /^svc_(live|test)_[a-z2-7]{48}$/;

export interface ConversionsClientOptions {
  /** The base URL of svc: `https://svc.example`. */
  baseUrl: string;
  /** A platform key (`svc_live_…`, `svc_test_…`) of the advertiser's tenant with the scope `ads:write`. */
  apiKey: string;
  /** Default: the runtime's `fetch`. */
  fetch?: Fetch | undefined;
}

/** Reports from an advertiser's server. */
export interface ConversionsClient {
  /** Reports an order. An order counts once, so the call is retried when the response is lost. Rejects with an `OffersError`. */
  report(order: ConversionReport, options?: CallOptions): Promise<ReportedConversion>;
}

/** @throws TypeError when `baseUrl` is not a URL or `apiKey` not a platform key. */
export function createConversionsClient({ baseUrl, apiKey, fetch }: ConversionsClientOptions): ConversionsClient {
  const base = readOffersBaseUrl(baseUrl);
  if (!KEY.test(apiKey)) {
    throw new TypeError("apiKey must be a platform key: svc_live_ or svc_test_ and 48 letters and digits.");
  }
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${apiKey}` };
  return {
    async report(order, options) {
      const call = { fetch, baseUrl: base, path: "/api/v1/conversions", headers, body: order, retries: isTransient };
      const result = await callApi(call, options);
      if ("failure" in result) throw new OffersError(result.failure);
      return result.body as ReportedConversion;
    },
  };
}
