import type { Pool } from "pg";
import type { FactRow } from "../events/fact-rows";
import type { ConversionRow } from "./conversion";
import type { Touch } from "./last-touch.sql";

/** An order without an advertiser is taken for the same order of any: it was reported by its number alone. */
const SAME_ORDER = "tenant_id = $1 AND mode = $2 AND order_id = $3 AND (advertiser_id IN ($4, '') OR $4 = '')";

/** One statement, so one transaction: the conversion, and where a campaign earned it the row that reports count. False when the order is known. */
export async function insertConversion(
  sql: Pick<Pool, "query">,
  row: ConversionRow,
  fact: FactRow | undefined,
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: "insert_conversion",
    text: `
      WITH made AS (
        INSERT INTO conversions
        SELECT * FROM json_populate_record(NULL::conversions, $5::json)
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

/** The conversion that an order has become; what its advertiser reported comes before what was reported without one. */
export async function findConversion(
  sql: Pick<Pool, "query">,
  order: Pick<ConversionRow, "tenant_id" | "mode" | "advertiser_id" | "order_id">,
): Promise<ConversionRow | undefined> {
  const { rows } = await sql.query<ConversionRow>({
    name: "find_conversion",
    text: `SELECT * FROM conversions WHERE ${SAME_ORDER} ORDER BY advertiser_id = $4 DESC, id LIMIT 1`,
    values: orderOf(order),
  });
  return rows[0];
}

const orderOf = ({
  tenant_id,
  mode,
  order_id,
  advertiser_id,
}: Pick<ConversionRow, "tenant_id" | "mode" | "order_id" | "advertiser_id">): string[] => [
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
export async function listConversionRows(sql: Pick<Pool, "query">, asked: ListedConversions): Promise<ConversionRow[]> {
  const { tenantId, mode, campaignId = null, attribution = null, after = null, take } = asked;
  const { rows } = await sql.query<ConversionRow>({
    name: "list_conversions",
    text: `SELECT * FROM conversions
           WHERE tenant_id = $1 AND mode = $2 AND ($3::text IS NULL OR campaign_id = $3)
             AND ($4::text IS NULL OR attribution = $4) AND ($5::text IS NULL OR id < $5)
           ORDER BY id DESC LIMIT $6`,
    values: [tenantId, mode, campaignId, attribution, after, take],
  });
  return rows;
}

/** Gives a conversion that waited for its click its touch, and the row that reports count. False when it has one already, or its advertiser reported the order too. */
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
          channel_id = $6, touched_at = $7, advertiser_id = $9
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
      ...[id, touch.attribution, touch.offer_id, touch.campaign_id, touch.publisher_tenant_id, touch.channel_id],
      ...[touch.touched_at, JSON.stringify(fact), touch.advertiser_id],
    ],
  });
  return rowCount === 1;
}
