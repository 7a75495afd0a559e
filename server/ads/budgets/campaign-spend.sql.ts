import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";

/** Every day on which a campaign was charged, oldest first; the ledger's own sums. */
export async function spendByDay(
  sql: Pick<Pool, "query">,
  campaignId: string,
): Promise<{ day: string; nanos: bigint }[]> {
  const { rows } = await sql.query<{ day: string; nanos: string }>({
    name: "campaign_spend_by_day",
    text: "SELECT day::text, nanos::text FROM campaign_spend WHERE campaign_id = $1 ORDER BY day",
    values: [campaignId],
  });
  return rows.map(({ day, nanos }) => ({ day, nanos: BigInt(nanos) }));
}

interface Owner {
  tenantId: string;
  mode: "test" | "live";
  campaignId: string;
}

/** The quarter hours between two moments in which a campaign was charged, oldest first. */
export async function spendBySlot(
  clickhouse: ClickHouseClient,
  { tenantId, mode, campaignId }: Owner,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ atMs: number; nanos: bigint }[]> {
  const answer = await clickhouse.query({
    query: `
      SELECT toString(toUnixTimestamp(slot)), toString(sum(spend_nanos)) FROM report_slots
      WHERE tenant_id = {tenant:String} AND mode = {mode:String} AND campaign_id = {campaign:String}
        AND slot >= fromUnixTimestamp({from:Int64}) AND slot < fromUnixTimestamp({to:Int64})
      GROUP BY slot HAVING sum(spend_nanos) > 0 ORDER BY slot`,
    query_params: { tenant: tenantId, mode, campaign: campaignId, from: fromMs / 1000, to: toMs / 1000 },
    format: "JSONCompactEachRow",
  });
  const rows = await answer.json<[string, string]>();
  return rows.map(([seconds, nanos]) => ({ atMs: Number(seconds) * 1000, nanos: BigInt(nanos) }));
}
