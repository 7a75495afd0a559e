import type { OfferRecord } from "../../server/ads/offer-records/offer-record";
import { uuidv7 } from "../../server/kernel/ids";

type Given = Pick<OfferRecord, "tenantId" | "buyerTenantId" | "campaignId"> & Partial<OfferRecord>;

/** A live offer of a campaign that was served at a time, which nobody has seen or clicked: by default at a CPC of 1,000 nanos. */
export const offerRecord = (servedAtMs: number, given: Given): OfferRecord => ({
  id: uuidv7(servedAtMs),
  requestId: uuidv7(servedAtMs),
  mode: "live",
  channelId: "chn_x",
  advertiserId: "adv_x",
  creativeId: "crv_x",
  productId: "",
  model: "cpc",
  priceNanos: 1000,
  house: false,
  landingUrl: "https://shop.example/",
  placement: "sponsored_result",
  geo: "",
  device: "desktop",
  locale: "en",
  caps: null,
  userKey: "",
  seen: false,
  clickId: undefined,
  ...given,
});
