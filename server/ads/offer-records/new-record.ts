import { type Bidder, type ReservePrices, secondPriceNanos } from "../auction/second-price";
import type { ServingCampaign, ServingChannel, ServingItem } from "../serving/serving";
import type { OfferRecord, ReservedCaps } from "./offer-record";
import { storedLocale } from "./stored-locale";

interface Publisher {
  channel: Pick<ServingChannel, "id" | "tenantId" | "mode">;
  /** Network campaigns of this tenant are house offers on other tenants' channels. */
  demoTenantId: string | undefined;
  reserve: ReservePrices;
}

/** A candidate, as far as its record has it. */
interface Winner extends Bidder {
  campaign: ServingCampaign;
  item: ServingItem;
}

interface Served {
  request: Pick<OfferRecord, "placement" | "geo" | "device" | "locale">;
  requestId: string;
  /** Candidates that no cap excluded, in rank order; the price follows from them. */
  competing: readonly Bidder[];
  userKey: string;
}

/** What is stored of a candidate that is served. */
export function newRecord(
  { channel, demoTenantId, reserve }: Publisher,
  { request, requestId, competing, userKey }: Served,
  { id, candidate, caps }: { id: string; candidate: Winner; caps: ReservedCaps | null },
): OfferRecord {
  const { campaign, item } = candidate;
  const house = campaign.tenantId === demoTenantId && campaign.tenantId !== channel.tenantId;
  return {
    id,
    requestId,
    tenantId: channel.tenantId,
    channelId: channel.id,
    mode: channel.mode,
    buyerTenantId: campaign.tenantId,
    advertiserId: campaign.advertiserId,
    campaignId: campaign.id,
    creativeId: item.kind === "creative" ? item.id : "",
    productId: item.kind === "product" ? item.id : "",
    model: campaign.model,
    priceNanos: house || channel.mode === "test" ? 0 : secondPriceNanos(candidate, competing, reserve),
    house,
    landingUrl: item.landingUrl,
    placement: request.placement,
    geo: request.geo,
    device: request.device,
    locale: storedLocale(request.locale),
    caps,
    userKey,
    seen: false,
    clickId: undefined,
  };
}
