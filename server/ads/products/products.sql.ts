import type { Pool } from "pg";
import { FED_COLUMNS } from "./product-row";

const ARCHIVE_PAGE_ROWS = 5000;

const names = Object.keys(FED_COLUMNS);
const kept = names.filter((name) => name !== "external_id");
const of = (table: string, columns: string[]) => columns.map((column) => `${table}.${column}`).join(", ");

const UPSERT = `
  INSERT INTO products (id, campaign_id, created_at, updated_at, ${names.join(", ")})
  SELECT fed.id, $1, $2, $2, ${of("fed", names)}
  FROM json_to_recordset($3::json)
    AS fed (id text, ${Object.entries(FED_COLUMNS)
      .map((column) => column.join(" "))
      .join(", ")})
  ON CONFLICT (campaign_id, external_id) DO UPDATE
  SET ${kept.map((name) => `${name} = excluded.${name}`).join(", ")}, updated_at = excluded.updated_at, archived_at = NULL
  WHERE (${of("products", kept)}, products.archived_at)
    IS DISTINCT FROM (${of("excluded", kept)}, NULL::timestamptz)`;

/**
 * Inserts or updates a campaign's products in one statement. `rows` is a JSON array of `rowOf` with an id, sorted by
 * external id without duplicates. Unchanged rows are not written, so that the catalog does not read them again. An
 * archived product is restored.
 */
export async function upsertProducts(
  sql: Pick<Pool, "query">,
  { campaignId, now }: { campaignId: string; now: Date },
  rows: string,
): Promise<void> {
  await sql.query({ name: "upsert_products", text: UPSERT, values: [campaignId, now, rows] });
}

/** Archives products of the campaign that are not in `isSeen` and were not changed since `startedAt`; returns how many. */
export async function archiveAbsentProducts(
  sql: Pick<Pool, "query">,
  { campaignId, startedAt, now }: { campaignId: string; startedAt: Date; now: Date },
  isSeen: (externalId: string) => boolean,
): Promise<number> {
  let archived = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: { id: string; external_id: string }[] = await readPage(sql, campaignId, after);
    const absent = page.filter((row) => !isSeen(row.external_id)).map((row) => row.id);
    const { rowCount } = await sql.query(
      "UPDATE products SET archived_at = $3, updated_at = $3 WHERE id = ANY($1) AND archived_at IS NULL AND updated_at <= $2",
      [absent, startedAt, now],
    );
    archived += rowCount ?? 0;
    after = page.length === ARCHIVE_PAGE_ROWS ? page.at(-1)?.id : undefined;
  }
  return archived;
}

async function readPage(
  sql: Pick<Pool, "query">,
  campaignId: string,
  after: string,
): Promise<{ id: string; external_id: string }[]> {
  const { rows } = await sql.query<{ id: string; external_id: string }>(
    `SELECT id, external_id FROM products WHERE campaign_id = $1 AND archived_at IS NULL AND id > $2
     ORDER BY id LIMIT ${ARCHIVE_PAGE_ROWS}`,
    [campaignId, after],
  );
  return rows;
}
