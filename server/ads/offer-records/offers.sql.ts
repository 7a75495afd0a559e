import type { Pool } from "pg";
import type { OfferRecord } from "./offer-record";

const INSERT = `
  INSERT INTO offers (id, request_id, tenant_id, channel_id, mode, buyer_tenant_id, advertiser_id, campaign_id, creative_id,
    product_id, model, price_nanos, house, landing_url, placement, geo, device, locale, caps, user_key)
  SELECT id, request_id, tenant_id, channel_id, mode, buyer_tenant_id, advertiser_id, campaign_id, creative_id,
    product_id, model, price_nanos, house, landing_url, placement, geo, device, locale, caps, user_key
  FROM json_to_recordset($1::json) AS o(id uuid, request_id uuid, tenant_id text, channel_id text, mode text,
    buyer_tenant_id text, advertiser_id text, campaign_id text, creative_id text, product_id text, model text,
    price_nanos bigint, house boolean, landing_url text, placement text, geo text, device text, locale text, caps jsonb, user_key text)`;

/** One statement, so that all offers of a group become durable together. */
export async function insertOffers(sql: Pick<Pool, "query">, records: readonly OfferRecord[]): Promise<void> {
  const rows = records.map((o) => ({
    id: o.id,
    request_id: o.requestId,
    tenant_id: o.tenantId,
    channel_id: o.channelId,
    mode: o.mode,
    buyer_tenant_id: o.buyerTenantId,
    advertiser_id: o.advertiserId,
    campaign_id: o.campaignId,
    creative_id: o.creativeId,
    product_id: o.productId,
    model: o.model,
    price_nanos: o.priceNanos,
    house: o.house,
    landing_url: o.landingUrl,
    placement: o.placement,
    geo: o.geo,
    device: o.device,
    locale: o.locale,
    caps: o.caps,
    user_key: o.userKey,
  }));
  await sql.query({ name: "insert_offers", text: INSERT, values: [JSON.stringify(rows)] });
}

interface OfferRow {
  id: string;
  request_id: string;
  tenant_id: string;
  channel_id: string;
  mode: "test" | "live";
  buyer_tenant_id: string;
  advertiser_id: string;
  campaign_id: string;
  creative_id: string;
  product_id: string;
  model: "cpc" | "cpm";
  price_nanos: string;
  house: boolean;
  landing_url: string;
  placement: string;
  geo: string;
  device: string;
  locale: string;
  caps: OfferRecord["caps"];
  user_key: string;
  seen: boolean;
  click_id: string | null;
}

/** The bounds let Postgres read only the partitions of these ids' days. */
const LOAD = `
  SELECT id, request_id, tenant_id, channel_id, mode, buyer_tenant_id, advertiser_id, campaign_id, creative_id, product_id,
    model, price_nanos::text, house, landing_url, placement, geo, device, locale, caps, user_key, seen_at IS NOT NULL AS seen, click_id
  FROM offers WHERE id = ANY ($1::uuid[]) AND id >= $2::uuid AND id <= $3::uuid`;

/** The offers among `ids` that exist, in no particular order. */
export async function loadOffers(sql: Pool, ids: readonly string[]): Promise<OfferRecord[]> {
  const { rows } = await sql.query<OfferRow>(LOAD, [ids, ...keyLimitsOf(ids)]);
  return rows.map((o) => ({
    id: o.id,
    requestId: o.request_id,
    tenantId: o.tenant_id,
    channelId: o.channel_id,
    mode: o.mode,
    buyerTenantId: o.buyer_tenant_id,
    advertiserId: o.advertiser_id,
    campaignId: o.campaign_id,
    creativeId: o.creative_id,
    productId: o.product_id,
    model: o.model,
    priceNanos: Number(o.price_nanos),
    house: o.house,
    landingUrl: o.landing_url,
    placement: o.placement,
    geo: o.geo,
    device: o.device,
    locale: o.locale,
    caps: o.caps,
    userKey: o.user_key,
    seen: o.seen,
    clickId: o.click_id ?? undefined,
  }));
}

/** The smallest and the largest of the ids; lowercase UUID text sorts like the UUID itself. */
export function keyLimitsOf(ids: readonly string[]): [string, string] {
  let [low, high] = [ids[0] ?? "", ids[0] ?? ""];
  for (const id of ids) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return [low, high];
}
