import type { Pool } from "pg";
import { newId } from "../../kernel/ids";
import type { FeedProduct } from "./feed-product";

const ARCHIVE_PAGE_ROWS = 5000;

/** Column, its type, and what a feed's product has for it. */
const COLUMNS: readonly [name: string, type: string, value: (product: FeedProduct) => unknown][] = [
  ["external_id", "text", ({ externalId }) => externalId],
  ["title", "text", ({ title }) => title],
  ["description", "text", ({ description }) => description],
  ["link", "text", ({ link }) => link],
  ["image_link", "text", ({ imageLink }) => imageLink],
  ["brand", "text", ({ brand }) => brand],
  ["gtin", "text", ({ gtin }) => gtin],
  ["category", "text", ({ category }) => category],
  ["availability", "text", ({ availability }) => availability],
  ["currency", "text", ({ currency }) => currency],
  ["price", "numeric(14,4)", ({ price }) => price],
  ["original_price", "numeric(14,4)", ({ originalPrice }) => originalPrice],
  ["rating", "jsonb", ({ rating }) => rating && JSON.stringify(rating)],
  ["details", "jsonb", ({ details }) => JSON.stringify(details)],
];

const names = COLUMNS.map(([name]) => name);
const kept = names.filter((name) => name !== "external_id");
const of = (table: string, columns: string[]) => columns.map((column) => `${table}.${column}`).join(", ");

const UPSERT = `
  INSERT INTO products (id, campaign_id, created_at, updated_at, ${names.join(", ")})
  SELECT fed.id, $1, $2, $2, ${COLUMNS.map(([name, type]) => `fed.${name}::${type}`).join(", ")}
  FROM unnest($3::text[], ${COLUMNS.map((_, i) => `$${i + 4}::text[]`).join(", ")}) AS fed (id, ${names.join(", ")})
  ON CONFLICT (campaign_id, external_id) DO UPDATE
  SET ${kept.map((name) => `${name} = excluded.${name}`).join(", ")}, updated_at = excluded.updated_at, archived_at = NULL
  WHERE (${of("products", kept)}, products.archived_at)
    IS DISTINCT FROM (${of("excluded", kept)}, NULL::timestamptz)`;

/**
 * Inserts or changes a campaign's products, none twice, in one statement; rows that would not change are not written,
 * so that the catalog does not read them again. An archived product comes back.
 */
export async function upsertProducts(
  sql: Pool,
  { campaignId, now }: { campaignId: string; now: Date },
  products: Iterable<FeedProduct>,
): Promise<void> {
  // Two feeds that touch the same rows take them in the same order, so they cannot block each other for good.
  const rows = [...products].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
  if (rows.length === 0) return;
  const ids = rows.map(() => newId("prd", now.getTime()));
  const columns = COLUMNS.map(([, , value]) => rows.map(value));
  await sql.query({ name: "upsert_products", text: UPSERT, values: [campaignId, now, ids, ...columns] });
}

/** Archives the campaign's products that `isSeen` does not know and nobody changed since `startedAt`. */
export async function archiveAbsentProducts(
  sql: Pool,
  { campaignId, startedAt, now }: { campaignId: string; startedAt: Date; now: Date },
  isSeen: (externalId: string) => boolean,
): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: { id: string; external_id: string }[] = await readPage(sql, campaignId, after);
    const absent = page.filter((row) => !isSeen(row.external_id)).map((row) => row.id);
    await sql.query(
      "UPDATE products SET archived_at = $3, updated_at = $3 WHERE id = ANY($1) AND archived_at IS NULL AND updated_at <= $2",
      [absent, startedAt, now],
    );
    after = page.length === ARCHIVE_PAGE_ROWS ? page.at(-1)?.id : undefined;
  }
}

async function readPage(sql: Pool, campaignId: string, after: string): Promise<{ id: string; external_id: string }[]> {
  const { rows } = await sql.query<{ id: string; external_id: string }>(
    `SELECT id, external_id FROM products WHERE campaign_id = $1 AND archived_at IS NULL AND id > $2
     ORDER BY id LIMIT ${ARCHIVE_PAGE_ROWS}`,
    [campaignId, after],
  );
  return rows;
}
