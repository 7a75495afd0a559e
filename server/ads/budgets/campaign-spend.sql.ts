import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import { spentEver } from "./spent";

export interface SpentDays {
  /** All-time spend in nanos. */
  total: bigint;
  /** The last days on which the campaign was charged, oldest first. */
  days: { day: string; nanos: bigint }[];
}

/**
 * Returns what a campaign was charged in total, and on its last `daysMax` days with a charge, from one snapshot of the
 * ledger's sums.
 */
export async function spendByDay(sql: Pick<Pool, "query">, campaignId: string, daysMax: number): Promise<SpentDays> {
  const { rows } = await sql.query<{ day: string | null; nanos: string; total: string }>({
    name: "campaign_spend_by_day",
    text: `SELECT d.day::text, d.nanos::text, ${spentEver("$1")}::text AS total
           FROM (VALUES (1)) one LEFT JOIN LATERAL (
             SELECT day, nanos FROM campaign_spend WHERE campaign_id = $1 ORDER BY day DESC LIMIT $2
           ) d ON true ORDER BY d.day`,
    values: [campaignId, daysMax],
  });
  const days = rows.flatMap(({ day, nanos }) => (day === null ? [] : [{ day, nanos: BigInt(nanos) }]));
  return { total: BigInt(rows[0]?.total ?? 0), days };
}

/** What a campaign was charged before a day of its time zone, in nanos. Does not read the earlier days. */
export async function spentBefore(sql: Pick<Pool, "query">, campaignId: string, today: string): Promise<bigint> {
  const { rows } = await sql.query<{ nanos: string }>({
    name: "campaign_spent_before",
    text: `SELECT (${spentEver("$1")} - coalesce(sum(nanos), 0))::text AS nanos
           FROM campaign_spend WHERE campaign_id = $1 AND day >= $2`,
    values: [campaignId, today],
  });
  return BigInt(rows[0]?.nanos ?? 0);
}

interface Owner {
  tenantId: string;
  mode: "test" | "live";
  campaignId: string;
}

/** The quarter hours between two times in which a campaign was charged, oldest first. */
export async function spendBySlot(
  clickhouse: ClickHouseClient,
  { tenantId, mode, campaignId }: Owner,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ atMs: number; nanos: bigint }[]> {
  const result = await clickhouse.query({
    query: `
      SELECT toString(toUnixTimestamp(slot)), toString(sum(spend_nanos)) FROM report_slots
      WHERE tenant_id = {tenant:String} AND mode = {mode:String} AND campaign_id = {campaign:String}
        AND slot >= fromUnixTimestamp({from:Int64}) AND slot < fromUnixTimestamp({to:Int64})
      GROUP BY slot HAVING sum(spend_nanos) > 0 ORDER BY slot`,
    query_params: { tenant: tenantId, mode, campaign: campaignId, from: fromMs / 1000, to: toMs / 1000 },
    format: "JSONCompactEachRow",
  });
  const rows = await result.json<[string, string]>();
  return rows.map(([seconds, nanos]) => ({ atMs: Number(seconds) * 1000, nanos: BigInt(nanos) }));
}
