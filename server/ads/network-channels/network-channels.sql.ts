import type { ClickHouseClient } from "@clickhouse/client";

export interface ChannelFigures {
  channelId: string;
  impressions: number;
  invalidImpressions: number;
  clicks: number;
  invalidClicks: number;
  conversions: number;
  spendNanos: bigint;
}

export interface BoughtOn {
  /** The tenant that buys. */
  tenantId: string;
  mode: "test" | "live";
  /** Empty for all advertisers of the tenant. */
  advertiserId: string;
  /** First UTC day, as YYYY-MM-DD. */
  fromDay: string;
  limit: number;
}

const MINE = `buyer_tenant_id = {tenant:String} AND mode = {mode:String} AND toDate(at) >= {from:Date}
  AND tenant_id != {tenant:String} AND ({advertiser:String} = '' OR advertiser_id = {advertiser:String})`;

/**
 * Impressions and clicks come from projections of their tables, so the conditions here must match those projections.
 */
const events = (table: "impressions" | "clicks") =>
  `SELECT '${table}' AS kind, channel_id, countIf(traffic = '') AS valid, countIf(traffic != '') AS invalid,
     toInt64(sum(charge_nanos)) AS nanos
   FROM ${table} WHERE ${MINE} GROUP BY channel_id`;

const FIGURES = `
  SELECT channel_id, toString(sumIf(valid, kind = 'impressions')), toString(sumIf(invalid, kind = 'impressions')),
    toString(sumIf(valid, kind = 'clicks')), toString(sumIf(invalid, kind = 'clicks')),
    toString(sumIf(valid, kind = 'conversions')), toString(sum(nanos))
  FROM (
    ${events("impressions")}
    UNION ALL ${events("clicks")}
    UNION ALL SELECT 'conversions' AS kind, channel_id, toUInt64(greatest(sum(sign), 0)) AS valid, 0 AS invalid, toInt64(0) AS nanos
      FROM conversions WHERE ${MINE} AND channel_id != '' GROUP BY channel_id
    UNION ALL SELECT 'reversals' AS kind, channel_id, 0 AS valid, 0 AS invalid, sum(charge_nanos) AS nanos
      FROM reversals WHERE ${MINE} GROUP BY channel_id
  )
  GROUP BY channel_id
  ORDER BY sum(nanos) DESC, sumIf(valid, kind = 'impressions') DESC, channel_id
  LIMIT {limit:UInt32}`;

/** The channels of other tenants where a tenant's campaigns appeared, highest spend first. */
export async function figuresByChannel(clickhouse: ClickHouseClient, filter: BoughtOn): Promise<ChannelFigures[]> {
  const { tenantId: tenant, mode, advertiserId: advertiser, fromDay: from, limit } = filter;
  const result = await clickhouse.query({
    query: FIGURES,
    query_params: { tenant, mode, advertiser, from, limit },
    format: "JSONCompactEachRow",
  });
  const rows = await result.json<[string, string, string, string, string, string, string]>();
  return rows.map(([channelId, impressions, invalidImpressions, clicks, invalidClicks, conversions, nanos]) => ({
    channelId,
    impressions: Number(impressions),
    invalidImpressions: Number(invalidImpressions),
    clicks: Number(clicks),
    invalidClicks: Number(invalidClicks),
    conversions: Number(conversions),
    spendNanos: BigInt(nanos),
  }));
}
