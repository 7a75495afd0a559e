import type { PoolClient } from "pg";

/** Parents first, so that an item's campaign exists before the item. */
export const CATALOG_TABLES = [
  "channels",
  "channel_keys",
  "advertisers",
  "campaigns",
  "creatives",
  "products",
] as const;
export type CatalogTable = (typeof CATALOG_TABLES)[number];

const ROWS_PER_FETCH = 1000;

/** The records that can become offers. */
export const ITEM_TABLES = ["creatives", "products"] as const satisfies CatalogTable[];

const CONTENT: Readonly<Record<CatalogTable, string>> = {
  channels: `id, tenant_id, mode, name, origins, categories, blocked_categories, blocked_advertisers, network,
    approved_advertisers, network_suspended_at, strictness, archived_at`,
  channel_keys: "id, channel_id, kind, hash, revoked_at",
  advertisers: `id, tenant_id, mode, name, domain, icon_url, copied_from, blocked_channels, blocked_domains,
    review = 'approved' AND domain_verified_at IS NOT NULL AS is_approved, archived_at`,
  campaigns: `id, tenant_id, advertiser_id, mode, name, model, bid_micros::text, daily_budget_micros::text,
    total_budget_micros::text, starts_at, ends_at, timezone, pacing, reach, status, caps, targeting, keywords, attribution,
    importing_since, created_at, archived_at`,
  creatives: "id, campaign_id, title, content, cta, landing_url, brand, product, price, rating, archived_at",
  products: `id, campaign_id, title, description, link, brand, gtin, item_group_id, category,
    google_product_category, availability, currency, price::float8, original_price::float8, sale_starts_at, sale_ends_at, rating, details, archived_at`,
};

/** Drafts and ended campaigns use no memory; see CatalogItems. */
const OF_SERVING_CAMPAIGNS =
  "campaign_id IN (SELECT id FROM campaigns WHERE archived_at IS NULL AND status IN ('active', 'paused'))";

/** Products that an import has added and that has not ended. */
const OF_ENDED_IMPORTS = `NOT EXISTS (SELECT FROM campaigns
    WHERE campaigns.id = products.campaign_id AND products.created_at >= campaigns.importing_since)`;

const LIVE: Readonly<Record<CatalogTable, string>> = {
  channels: "archived_at IS NULL",
  channel_keys: "revoked_at IS NULL",
  advertisers: "archived_at IS NULL",
  campaigns: "archived_at IS NULL",
  creatives: `archived_at IS NULL AND ${OF_SERVING_CAMPAIGNS}`,
  products: `archived_at IS NULL AND ${OF_SERVING_CAMPAIGNS} AND ${OF_ENDED_IMPORTS}`,
};

/** Rows written by transactions that a snapshot ($1) did not see; its xmin limits the index scan. */
const NEWER =
  "change_xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(change_xid, $1::pg_snapshot)";

/** One statement with one snapshot: returns the snapshot and the tables that changed since snapshot $1. */
export const CHANGED_TABLES = `SELECT pg_current_snapshot()::text AS snapshot,
  array_remove(ARRAY[${CATALOG_TABLES.map(
    (table) => `CASE WHEN EXISTS (SELECT FROM ${table} WHERE ${NEWER}) THEN '${table}' END`,
  ).join(", ")}], NULL) AS tables`;

/** All items of some campaigns that are not archived, in batches of 1,000; products of an import only once it ended. */
export const campaignItems = (
  client: PoolClient,
  table: (typeof ITEM_TABLES)[number],
  campaignIds: readonly string[],
): AsyncGenerator<Record<string, unknown>[]> => {
  const ids = campaignIds.map((id) => client.escapeLiteral(id)).join(", ");
  const ended = table === "products" ? ` AND ${OF_ENDED_IMPORTS}` : "";
  return rowsOf(client, table, `archived_at IS NULL AND campaign_id IN (${ids})${ended} ORDER BY campaign_id, id`);
};

/**
 * All rows of a table that are not archived, or with `since` all rows that changed after that snapshot, in batches of
 * 1,000.
 */
export const tableRows = (
  client: PoolClient,
  table: CatalogTable,
  since: string | undefined,
): AsyncGenerator<Record<string, unknown>[]> =>
  rowsOf(client, table, since === undefined ? LIVE[table] : NEWER.replaceAll("$1", client.escapeLiteral(since)));

async function* rowsOf(
  client: PoolClient,
  table: CatalogTable,
  where: string,
): AsyncGenerator<Record<string, unknown>[]> {
  await client.query(`DECLARE catalog_rows NO SCROLL CURSOR FOR SELECT ${CONTENT[table]} FROM ${table} WHERE ${where}`);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`FETCH ${ROWS_PER_FETCH} FROM catalog_rows`);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await client.query("CLOSE catalog_rows");
}
