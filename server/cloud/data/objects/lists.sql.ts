import { BEHIND, type KeyRange } from "./key-range";
import { LISTED_VERSION, type ListedVersion, type Sql } from "./versions.sql";

/** An entry of a page: a row, or a common prefix. */
export type Entry<Row> = { row: Row } | { prefix: string };

interface Page {
  bucketId: string;
  range: KeyRange;
  /** Entries. */
  limit: number;
}

/**
 * The current objects of a page. With a delimiter it is a skip scan: behind a common prefix the index is entered again,
 * so that the keys of a prefix are never read.
 */
export function readObjects(sql: Sql, page: Page): Promise<Entry<ListedVersion>[]> {
  const from = { key: page.range.after ?? "", rank: 0 };
  const where = "v.is_latest AND NOT v.is_delete_marker AND v.key > @key";
  return readEntries(sql, page, { from, where, order: "v.key" });
}

/** The versions of a page, after the version of this rank (that may be deleted) of the key `range.after`. */
export function readVersions(sql: Sql, page: Page & { afterRank: number }): Promise<Entry<ListedVersion>[]> {
  const from = { key: page.range.after ?? "", rank: page.afterRank };
  return readEntries(sql, page, { from, where: "(v.key, v.rank) > (@key, @rank)", order: "v.key, v.rank" });
}

/** The rank after which no version of a key comes, and that before which none comes. */
export const LAST_RANK = 1;
export const FIRST_RANK = -(2 ** 52);

interface Scan {
  from: { key: string; rank: number };
  where: string;
  order: string;
}

/** The limit is a part of the text, because the plan of a statement without it may sort the whole bucket. */
async function readEntries(sql: Sql, page: Page, scan: Scan): Promise<Entry<ListedVersion>[]> {
  const { bucketId, limit, range } = page;
  const { lower, upper, delimiter } = range;
  const values = [bucketId, lower, upper, scan.from.key, scan.from.rank];
  const text = (delimiter === undefined ? plainScan : skipScan)(scan, Math.trunc(limit));
  const { rows } = await sql.query<ListedVersion & { prefix: string | null }>(
    text,
    delimiter === undefined ? values : [...values, delimiter, BEHIND],
  );
  return rows.map(({ prefix, ...row }) => (prefix === null ? { row } : { prefix }));
}

const placed = (where: string, key: string, rank: string): string => where.replace("@key", key).replace("@rank", rank);

const plainScan = ({ where, order }: Scan, limit: number): string => `
  SELECT NULL AS prefix, ${LISTED_VERSION} FROM object_versions v
  WHERE v.bucket_id = $1 AND v.key >= $2 COLLATE "C" AND v.key < $3 COLLATE "C"
    AND ${placed(where, '$4::text COLLATE "C"', "$5::bigint")} AND $5::bigint IS NOT NULL
  ORDER BY ${order} LIMIT ${limit}`;

const skipScan = ({ where, order }: Scan, limit: number): string => `
  WITH RECURSIVE entry AS (
    SELECT 0 AS n, $4::text COLLATE "C" AS key, $5::bigint AS rank, NULL::text COLLATE "C" AS prefix, NULL::text AS id
    UNION ALL
    SELECT e.n + 1, CASE WHEN f.at > 0 THEN f.prefix || $7 ELSE f.key END, f.rank, f.prefix, f.id
    FROM entry e CROSS JOIN LATERAL (
      SELECT v.key, v.rank, v.id, d.at,
        CASE WHEN d.at > 0 THEN left(v.key, char_length($2) + d.at + char_length($6) - 1) END AS prefix
      FROM object_versions v
      CROSS JOIN LATERAL (SELECT position($6 IN substr(v.key, char_length($2) + 1)) AS at) d
      WHERE v.bucket_id = $1 AND v.key >= $2 COLLATE "C" AND v.key < $3 COLLATE "C"
        AND ${placed(where, "e.key", "e.rank")}
      ORDER BY ${order} LIMIT 1
    ) f WHERE e.n < ${limit}
  )
  SELECT e.prefix, ${LISTED_VERSION} FROM entry e JOIN object_versions v ON v.id = e.id WHERE e.n > 0 ORDER BY e.n`;
