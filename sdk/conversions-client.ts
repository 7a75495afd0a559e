import { type CallOptions, callApi, type Fetch, isPassing, readBaseUrl } from "./call-api";
import { OffersError } from "./offers-client";
import type { ConversionReport, ReportedConversion } from "./offers-wire";

const KEY = /^svc_(live|test)_[a-z2-7]{48}$/;

export interface ConversionsClientOptions {
  /** Where svc is: `https://svc.example`. */
  baseUrl: string;
  /** A platform key (`svc_live_…`, `svc_test_…`) of the advertiser's tenant with the scope `ads:write`. */
  apiKey: string;
  /** Default: the runtime's own. */
  fetch?: Fetch | undefined;
}

/** What an advertiser's server reports. */
export interface ConversionsClient {
  /** Reports an order. It counts once, so one whose answer was lost is sent again. Rejects with an `OffersError`. */
  report(order: ConversionReport, options?: CallOptions): Promise<ReportedConversion>;
}

/** @throws TypeError when `baseUrl` is no address or `apiKey` no platform key. */
export function createConversionsClient({ baseUrl, apiKey, fetch }: ConversionsClientOptions): ConversionsClient {
  const base = readBaseUrl(baseUrl);
  if (!KEY.test(apiKey)) {
    throw new TypeError("apiKey must be a platform key: svc_live_ or svc_test_ and 48 letters and digits.");
  }
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${apiKey}` };
  return {
    async report(order, options) {
      const call = { fetch, baseUrl: base, path: "/api/v1/conversions", headers, body: order, retries: isPassing };
      const answer = await callApi(call, options);
      if ("failure" in answer) throw new OffersError(answer.failure);
      return answer.body as ReportedConversion;
    },
  };
}
