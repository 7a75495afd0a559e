import type { PoolClient } from "pg";

/** Parents first, so that an item finds its campaign. */
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

const CONTENT: Readonly<Record<CatalogTable, string>> = {
  channels: "id, tenant_id, mode, name, origins, categories, blocked_categories, blocked_advertisers, archived_at",
  channel_keys: "id, channel_id, kind, hash, revoked_at",
  advertisers: "id, tenant_id, name, domain, icon_url, archived_at",
  campaigns: `id, tenant_id, advertiser_id, mode, name, model, bid_micros::text, daily_budget_micros::text,
    total_budget_micros::text, starts_at, ends_at, timezone, pacing, reach, status, caps, targeting, keywords, attribution,
    created_at, archived_at`,
  creatives: "id, campaign_id, title, content, cta, landing_url, brand, product, price, rating, archived_at",
  products: `id, campaign_id, title, description, link, brand, gtin, category, availability, currency, price::float8,
    original_price::float8, rating, details, archived_at`,
};

const LIVE: Readonly<Record<CatalogTable, string>> = {
  channels: "archived_at IS NULL",
  channel_keys: "revoked_at IS NULL",
  advertisers: "archived_at IS NULL",
  campaigns: "archived_at IS NULL",
  creatives: "archived_at IS NULL",
  products: "archived_at IS NULL",
};

/** Rows written by transactions that a snapshot ($1) did not see; its xmin bounds the index scan. */
const NEWER =
  "change_xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(change_xid, $1::pg_snapshot)";

/** One statement, one snapshot: which it is, and the tables that changed since the snapshot $1. */
export const CHANGED_TABLES = `SELECT pg_current_snapshot()::text AS snapshot,
  array_remove(ARRAY[${CATALOG_TABLES.map(
    (table) => `CASE WHEN EXISTS (SELECT FROM ${table} WHERE ${NEWER}) THEN '${table}' END`,
  ).join(", ")}], NULL) AS tables`;

/** All live rows of a table, or with `since` every row that changed after that snapshot; in batches of 1,000. */
export async function* tableRows(
  client: PoolClient,
  table: CatalogTable,
  since: string | undefined,
): AsyncGenerator<Record<string, unknown>[]> {
  const where = since === undefined ? LIVE[table] : NEWER.replaceAll("$1", client.escapeLiteral(since));
  await client.query(`DECLARE catalog_rows NO SCROLL CURSOR FOR SELECT ${CONTENT[table]} FROM ${table} WHERE ${where}`);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`FETCH ${ROWS_PER_FETCH} FROM catalog_rows`);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await client.query("CLOSE catalog_rows");
}
