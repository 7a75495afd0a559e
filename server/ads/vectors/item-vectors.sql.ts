import type { Pool } from "pg";
import type { VectorSource } from "./vector-text";

/** The tables whose rows have vectors; creatives first, because a feed can have many products. */
export const VECTOR_TABLES = ["creatives", "products"] as const;
type VectorTable = (typeof VECTOR_TABLES)[number];

const SOURCE: Readonly<Record<VectorTable, string>> = {
  creatives: `i.title, i.product->>'title' AS product, i.brand->>'name' AS brand, i.product->>'category' AS category,
    i.content`,
  products: "i.title, NULL AS product, i.brand, i.category, i.description AS content",
};

/**
 * `missing`: items without a vector of the current model, or with one of another text. `changed`: items that changed
 * since their vector was made, though perhaps not in their text.
 */
type Staleness = "missing" | "changed";

/** `print` is empty for a vector of another text. */
const STALE: Readonly<Record<Staleness, string>> = {
  missing: "v.item_id IS NULL OR v.model <> $1 OR v.print = ''",
  changed: "v.model = $1 AND v.print <> '' AND v.item_xid <> i.change_xid",
};

/** An item that is `missing` or `changed`. */
export interface StaleItem extends VectorSource {
  id: string;
  campaign_id: string;
  /** Its change_xid. */
  xid: string;
  /** The print of the text of its vector. */
  print: string | null;
}

export interface StalePage {
  table: VectorTable;
  staleness: Staleness;
  model: string;
  /** Only items that changed since this snapshot; undefined: all. */
  since: string | undefined;
  /** The last id of the previous page. */
  after: string;
  limit: number;
}

/** The next stale items that may serve, by id. */
export async function readStaleItems(sql: Pool, page: StalePage): Promise<StaleItem[]> {
  const { table, staleness, model, since, after, limit } = page;
  const newer = since === undefined ? "" : `AND ${newerThan("i", 4)}`;
  const { rows } = await sql.query<StaleItem>(
    `SELECT i.id, i.campaign_id, i.change_xid::text AS xid, v.print,
       ${SOURCE[table]}
     FROM ${table} i
     JOIN campaigns c ON c.id = i.campaign_id AND c.archived_at IS NULL AND c.status IN ('active', 'paused')
     LEFT JOIN item_vectors v ON v.item_id = i.id
     WHERE i.archived_at IS NULL AND i.id > $2 ${newer}
       AND (${STALE[staleness]})
     ORDER BY i.id LIMIT $3`,
    since === undefined ? [model, after, limit] : [model, after, limit, since],
  );
  return rows;
}

export interface StoredVector {
  item: StaleItem;
  print: string;
  /** null: the server does not accept the text. */
  components: Int8Array | null;
}

/** Stores vectors; those of campaigns that were deleted meanwhile are dropped. */
export async function storeVectors(sql: Pool, model: string, vectors: readonly StoredVector[]): Promise<void> {
  await sql.query(
    `INSERT INTO item_vectors (item_id, campaign_id, print, model, vector, item_xid)
     SELECT n.item_id, n.campaign_id, n.print, $1, n.vector, n.xid::xid8
     FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[])
       AS n (item_id, campaign_id, print, vector, xid)
     JOIN campaigns c ON c.id = n.campaign_id
     ON CONFLICT (item_id) DO UPDATE SET campaign_id = EXCLUDED.campaign_id, print = EXCLUDED.print,
       model = EXCLUDED.model, vector = EXCLUDED.vector, item_xid = EXCLUDED.item_xid`,
    [
      model,
      vectors.map(({ item }) => item.id),
      vectors.map(({ item }) => item.campaign_id),
      vectors.map(({ print }) => print),
      vectors.map(({ components }) => components && Buffer.from(components.buffer)),
      vectors.map(({ item }) => item.xid),
    ],
  );
}

/** Notes that the texts of items are those of their vectors. */
export async function confirmVectors(sql: Pool, items: readonly StaleItem[]): Promise<void> {
  await sql.query(
    `UPDATE item_vectors v SET item_xid = n.xid::xid8 FROM unnest($1::text[], $2::text[]) AS n (id, xid)
     WHERE v.item_id = n.id`,
    [items.map(({ id }) => id), items.map(({ xid }) => xid)],
  );
}

/** Withdraws the vectors of other texts, so that no item is found by what it was, even if the server fails. */
export async function withdrawVectors(sql: Pool, itemIds: readonly string[]): Promise<void> {
  await sql.query("UPDATE item_vectors SET vector = NULL, print = '' WHERE item_id = ANY($1)", [itemIds]);
}

const GONE = `(${VECTOR_TABLES.map(
  (table) => `NOT EXISTS (SELECT FROM ${table} i WHERE i.id = v.item_id AND i.archived_at IS NULL)`,
).join(" AND ")}) OR EXISTS (
  SELECT FROM campaigns c WHERE c.id = v.campaign_id AND (c.archived_at IS NOT NULL OR c.status = 'ended'))`;

/** Deletes the vectors of archived and deleted items and of ended campaigns; with `since` only of those archived after that snapshot. */
export async function deleteGoneVectors(sql: Pool, since: string | undefined): Promise<void> {
  if (since === undefined) {
    await sql.query(`DELETE FROM item_vectors v WHERE ${GONE}`);
    return;
  }
  for (const table of VECTOR_TABLES) {
    await sql.query(
      `DELETE FROM item_vectors v USING ${table} i
       WHERE i.id = v.item_id AND i.archived_at IS NOT NULL AND ${newerThan("i", 1)}`,
      [since],
    );
  }
}

interface ItemChanges {
  snapshot: string;
  items: boolean;
  campaigns: boolean;
}

/** The current snapshot, and what changed since an earlier one: everything if there is none. */
export async function readItemChanges(sql: Pool, since: string | undefined): Promise<ItemChanges> {
  const changed = (table: string) => `EXISTS (SELECT FROM ${table} i WHERE ${newerThan("i", 1)})`;
  const { rows } = await sql.query<ItemChanges>(
    since === undefined
      ? "SELECT pg_current_snapshot()::text AS snapshot, true AS items, true AS campaigns"
      : `SELECT pg_current_snapshot()::text AS snapshot, ${VECTOR_TABLES.map(changed).join(" OR ")} AS items,
           ${changed("campaigns")} AS campaigns`,
    since === undefined ? [] : [since],
  );
  return rows[0] as ItemChanges;
}

export interface VectorRow {
  item_id: string;
  campaign_id: string;
  vector: Buffer | null;
  /** Whether it is of the current model. */
  is_current: boolean;
}

export interface VectorPage {
  model: string;
  /** Only vectors that changed since this snapshot, also those of other models. */
  since: string | undefined;
  after: string;
  limit: number;
}

/** The next vectors by item id. */
export async function readVectorRows(sql: Pool, { model, since, after, limit }: VectorPage): Promise<VectorRow[]> {
  const which = since === undefined ? "v.model = $1" : newerThan("v", 4);
  const { rows } = await sql.query<VectorRow>(
    `SELECT v.item_id, v.campaign_id, v.vector, v.model = $1 AS is_current FROM item_vectors v
     WHERE v.item_id > $2 AND ${which} ORDER BY v.item_id LIMIT $3`,
    since === undefined ? [model, after, limit] : [model, after, limit, since],
  );
  return rows;
}

/** The current snapshot, and whether vectors changed since an earlier one. */
export async function readVectorChanges(sql: Pool, since: string | undefined) {
  const { rows } = await sql.query<{ snapshot: string; changed: boolean }>(
    since === undefined
      ? "SELECT pg_current_snapshot()::text AS snapshot, true AS changed"
      : `SELECT pg_current_snapshot()::text AS snapshot,
           EXISTS (SELECT FROM item_vectors v WHERE ${newerThan("v", 1)}) AS changed`,
    since === undefined ? [] : [since],
  );
  return rows[0] as { snapshot: string; changed: boolean };
}

/** The ids of the items among `ids` that have a vector. */
export async function readKnownIds(sql: Pool, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ item_id: string }>(
    "SELECT item_id FROM item_vectors WHERE item_id = ANY($1) AND vector IS NOT NULL",
    [ids],
  );
  return new Set(rows.map(({ item_id }) => item_id));
}

/** Rows of transactions that the snapshot in a parameter did not see; its xmin limits the index scan. */
const newerThan = (alias: string, parameter: number): string =>
  `(${alias}.change_xid >= pg_snapshot_xmin($${parameter}::pg_snapshot)
    AND NOT pg_visible_in_snapshot(${alias}.change_xid, $${parameter}::pg_snapshot))`;
