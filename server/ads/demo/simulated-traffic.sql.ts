import type { Pool, PoolClient } from "pg";
import type { FactRow, FactTable } from "../events/fact-rows";
import type { SimulatedItem } from "./simulate-day";

export interface SimulatedTraffic {
  tenantId: string;
  partnerId: string;
  fromAt: Date;
  toAt: Date;
  /** Everything before it is written. */
  writtenTo: Date;
  finishedAt: Date | null;
}

const COLUMNS = `tenant_id AS "tenantId", partner_id AS "partnerId", from_at AS "fromAt", to_at AS "toAt",
  written_to AS "writtenTo", finished_at AS "finishedAt"`;

/** The simulated traffic of a tenant; undefined if it has none. */
export async function findSimulatedTraffic(
  sql: Pick<Pool, "query">,
  tenantId: string,
): Promise<SimulatedTraffic | undefined> {
  const { rows } = await sql.query<SimulatedTraffic>(`SELECT ${COLUMNS} FROM simulated_traffic WHERE tenant_id = $1`, [
    tenantId,
  ]);
  return rows[0];
}

/** What is not completely written, of any tenant. */
export async function unfinishedTraffic(sql: Pick<Pool, "query">): Promise<SimulatedTraffic[]> {
  const text = `SELECT ${COLUMNS} FROM simulated_traffic WHERE finished_at IS NULL ORDER BY tenant_id`;
  return (await sql.query<SimulatedTraffic>(text)).rows;
}

/** Locks the tenant's row until the transaction ends, and returns up to when everything is written. */
export async function lockWrittenTo(client: PoolClient, tenantId: string): Promise<Date> {
  const text = `SELECT written_to AS "writtenTo" FROM simulated_traffic WHERE tenant_id = $1 FOR UPDATE`;
  const { rows } = await client.query<{ writtenTo: Date }>(text, [tenantId]);
  if (!rows[0]) throw new Error(`${tenantId} has no simulated traffic.`);
  return rows[0].writtenTo;
}

export async function setWrittenTo(client: PoolClient, tenantId: string, to: Date): Promise<void> {
  await client.query("UPDATE simulated_traffic SET written_to = $2 WHERE tenant_id = $1", [tenantId, to]);
}

export async function setFinished(sql: Pick<Pool, "query">, tenantId: string, at: Date): Promise<void> {
  await sql.query("UPDATE simulated_traffic SET finished_at = $2 WHERE tenant_id = $1", [tenantId, at]);
}

/** Rows for ClickHouse that go with the transaction, as one slice of the outbox per table. */
export async function queueFacts(client: PoolClient, facts: readonly [FactTable, FactRow][]): Promise<void> {
  for (const table of new Set(facts.map(([each]) => each))) {
    const lines = facts.filter(([each]) => each === table).map(([, row]) => JSON.stringify(row));
    await client.query(`INSERT INTO outbox_slices ("table", rows) VALUES ($1, $2)`, [table, lines.join("\n")]);
  }
}

/** How often simulated visitors are shown the partner's offers, compared with the demo's own. */
const PARTNER_WEIGHT = 1.1;
/** Of a campaign's items, its creative is shown most. */
const CREATIVE_WEIGHT = 4;

/** The demo's live items that fit every visitor, and those of the partner, each tenant with half of the weight. */
export async function simulatedItems(
  sql: Pick<Pool, "query">,
  { tenantId, partnerId }: Pick<SimulatedTraffic, "tenantId" | "partnerId">,
): Promise<SimulatedItem[]> {
  const { rows } = await sql.query<SimulatedItem>(
    `SELECT c.tenant_id AS "tenantId", c.advertiser_id AS "advertiserId", c.id AS "campaignId", i.creative AS "creativeId",
       i.product AS "productId", c.model::text, c.bid_micros::float8 AS "bidMicros", i.link AS "landingUrl", i.weight
     FROM campaigns c CROSS JOIN LATERAL (
       SELECT id AS creative, '' AS product, landing_url AS link, ${CREATIVE_WEIGHT} AS weight FROM creatives
       WHERE campaign_id = c.id AND archived_at IS NULL
       UNION ALL SELECT '', id, link, 1 FROM products WHERE campaign_id = c.id AND archived_at IS NULL
     ) i
     WHERE c.tenant_id = ANY ($1) AND c.mode = 'live' AND c.archived_at IS NULL
       AND coalesce(c.targeting->'geos', '[]') = '[]' AND coalesce(c.targeting->'devices', '[]') = '[]'
       AND coalesce(c.targeting->'locales', '[]') = '[]'
       AND c.daily_budget_micros IS NULL AND c.total_budget_micros IS NULL
     ORDER BY c.id, i.creative, i.product`,
    [[tenantId, partnerId]],
  );
  const own = rows.filter((item) => item.tenantId === tenantId);
  const partner = rows.filter((item) => item.tenantId === partnerId);
  const weightOf = (items: readonly SimulatedItem[]) => items.reduce((sum, { weight }) => sum + weight, 0);
  const factor = (PARTNER_WEIGHT * weightOf(own)) / weightOf(partner);
  return [...own, ...partner.map((item) => ({ ...item, weight: item.weight * factor }))];
}
