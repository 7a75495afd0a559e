import type { Pool, PoolClient } from "pg";
import { tryLockName } from "../../engines/postgres/named-lock";
import type { FactRow } from "../events/fact-rows";
import type { ConversionRow } from "./conversion";
import type { Touch } from "./last-touch.sql";

/** The columns of this version with their types. A later version may add columns, which get their defaults. */
const COLUMN_TYPES: Readonly<Record<keyof ConversionRow, string>> = {
  id: "text",
  tenant_id: "text",
  mode: "text",
  source: "text",
  advertiser_id: "text",
  order_id: "text",
  click_id: "text",
  attribution: "text",
  reason: "text",
  offer_id: "uuid",
  campaign_id: "text",
  publisher_tenant_id: "text",
  channel_id: "text",
  touched_at: "timestamptz",
  value_micros: "bigint",
  over_limit: "boolean",
  fact: "jsonb",
  look_at: "timestamptz",
  occurred_at: "timestamptz",
  created_at: "timestamptz",
};
const COLUMNS = Object.keys(COLUMN_TYPES).join(", ");
const TYPED_COLUMNS = Object.entries(COLUMN_TYPES)
  .map((column) => column.join(" "))
  .join(", ");

/** An order without an advertiser matches the same order of any advertiser, because only its number was reported. */
const SAME_ORDER = "tenant_id = $1 AND mode = $2 AND order_id = $3 AND (advertiser_id IN ($4, '') OR $4 = '')";

/**
 * Locks the order against other writers, for any advertiser, until the transaction ends. Returns false while another
 * transaction has the lock.
 */
export const tryLockOrder = (client: PoolClient, order: OrderKey): Promise<boolean> =>
  tryLockName(client, `conversion ${order.tenant_id} ${order.mode} ${order.order_id}`);

/** Deletes an order's pixel conversions, and reverses them in reports. */
export async function withdrawPixels(sql: Pick<Pool, "query">, order: OrderKey): Promise<void> {
  await sql.query({
    name: "withdraw_pixels",
    text: `
      WITH gone AS (DELETE FROM conversions WHERE ${SAME_ORDER} AND source = 'pixel' RETURNING fact)
      INSERT INTO outbox ("table", row) SELECT 'conversions', fact || '{"sign": -1}' FROM gone`,
    values: orderOf(order),
  });
}

/**
 * One statement, so one transaction: inserts the conversion, and the row for reports if a campaign earned it. Returns
 * false if the order exists.
 */
export async function insertConversion(
  sql: Pick<Pool, "query">,
  row: ConversionRow,
  fact: FactRow | undefined,
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: "insert_conversion",
    text: `
      WITH made AS (
        INSERT INTO conversions (${COLUMNS})
        SELECT ${COLUMNS} FROM json_to_record($5::json) AS made(${TYPED_COLUMNS})
        WHERE NOT EXISTS (SELECT 1 FROM conversions WHERE ${SAME_ORDER})
        ON CONFLICT (tenant_id, mode, advertiser_id, order_id) DO NOTHING
        RETURNING id
      ), noted AS (
        INSERT INTO outbox ("table", row) SELECT 'conversions', $6::jsonb FROM made WHERE $6::jsonb IS NOT NULL
      )
      SELECT id FROM made`,
    values: [...orderOf(row), JSON.stringify(row), fact === undefined ? null : JSON.stringify(fact)],
  });
  return rowCount === 1;
}

/**
 * The existing conversion of an order: a server's before a pixel's, then one with the advertiser before one without.
 */
export async function findConversion(sql: Pick<Pool, "query">, order: OrderKey): Promise<ConversionRow | undefined> {
  const { rows } = await sql.query<ConversionRow>({
    name: "find_conversion",
    text: `SELECT ${COLUMNS} FROM conversions WHERE ${SAME_ORDER} ORDER BY source IS NOT DISTINCT FROM 'pixel', advertiser_id = $4 DESC, id LIMIT 1`,
    values: orderOf(order),
  });
  return rows[0];
}

export type OrderKey = Pick<ConversionRow, "tenant_id" | "mode" | "order_id" | "advertiser_id">;

const orderOf = ({ tenant_id, mode, order_id, advertiser_id }: OrderKey): string[] => [
  tenant_id,
  mode,
  order_id,
  advertiser_id,
];

export interface ListedConversions {
  tenantId: string;
  mode: "test" | "live";
  campaignId: string | undefined;
  attribution: string | undefined;
  after: string | undefined;
  take: number;
}

/** Newest first. */
export async function listConversionRows(
  sql: Pick<Pool, "query">,
  requested: ListedConversions,
): Promise<ConversionRow[]> {
  const { tenantId, mode, campaignId, attribution, after, take } = requested;
  const values: unknown[] = [tenantId, mode, take];
  const filter = (column: string, value: string | undefined): string =>
    value === undefined ? "" : ` AND ${column} $${values.push(value)}`;
  // Unused filters are omitted: a generic plan for "$4 IS NULL OR …" would use no index.
  const filters = [filter("campaign_id =", campaignId), filter("attribution =", attribution), filter("id <", after)];
  const { rows } = await sql.query<ConversionRow>(
    `SELECT ${COLUMNS} FROM conversions WHERE tenant_id = $1 AND mode = $2${filters.join("")} ORDER BY id DESC LIMIT $3`,
    values,
  );
  return rows;
}

/**
 * Adds the touch to a conversion that waited for its click, and the row for reports. Returns false if it already has a
 * touch, or if its advertiser also reported the order.
 */
export async function attributeConversion(
  sql: Pick<Pool, "query">,
  id: string,
  { touch, fact }: { touch: Touch; fact: FactRow },
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: "attribute_conversion",
    text: `
      WITH made AS (
        UPDATE conversions SET attribution = $2, reason = '', offer_id = $3, campaign_id = $4, publisher_tenant_id = $5,
          channel_id = $6, touched_at = $7, advertiser_id = $9, look_at = NULL
        WHERE id = $1 AND reason = 'unknown_click' AND NOT EXISTS (
          SELECT 1 FROM conversions twin
          WHERE twin.tenant_id = conversions.tenant_id AND twin.mode = conversions.mode
            AND twin.order_id = conversions.order_id AND twin.advertiser_id = $9 AND twin.id <> $1)
        RETURNING id
      ), noted AS (
        INSERT INTO outbox ("table", row) SELECT 'conversions', $8::jsonb FROM made
      )
      SELECT id FROM made`,
    values: [
      id,
      touch.attribution,
      touch.offer_id,
      touch.campaign_id,
      touch.publisher_tenant_id,
      touch.channel_id,
      touch.touched_at,
      JSON.stringify(fact),
      touch.advertiser_id,
    ],
  });
  return rowCount === 1;
}

/**
 * Conversions with unknown clicks that are due for another attempt, longest due first, with at most `takeOfTenant` per
 * tenant so that tenants do not delay each other.
 */
export async function dueConversions(
  sql: Pick<Pool, "query">,
  { now, take, takeOfTenant }: { now: Date; take: number; takeOfTenant: number },
): Promise<ConversionRow[]> {
  const { rows } = await sql.query<ConversionRow>(
    `SELECT due.* FROM tenants CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM conversions WHERE tenant_id = tenants.id AND look_at <= $1 ORDER BY look_at LIMIT $3
     ) due ORDER BY due.look_at LIMIT $2`,
    [now, take, takeOfTenant],
  );
  return rows;
}

/** Schedules the next search for the click at `lookAt`; undefined ends the search. */
export async function postponeConversion(
  sql: Pick<Pool, "query">,
  id: string,
  lookAt: Date | undefined,
): Promise<void> {
  await sql.query("UPDATE conversions SET look_at = $2 WHERE id = $1", [id, lookAt ?? null]);
}
