import type { ClickHouseClient } from "@clickhouse/client";
import type { Span } from "../../kernel/rolling-window";

/** Events of a creative's offers, without invalid traffic; `creativeId` is "" for the products of a campaign. */
export interface CampaignCounts {
  campaignId: string;
  creativeId: string;
  served: number;
  impressions: number;
  clicks: number;
}

/** Filters by hour, the sort key of projection by_hour_campaign, so only that time span is read, across all tenants. */
export async function countsIn(
  clickhouse: ClickHouseClient,
  { fromMs, toMs }: Span,
  mode: "live" | "any",
): Promise<CampaignCounts[]> {
  const result = await clickhouse.query({
    query: `
      SELECT toString(campaign_id), creative_id, toString(sum(served)), toString(sum(impressions)), toString(sum(clicks))
      FROM report_slots
      WHERE toStartOfHour(slot) >= fromUnixTimestamp({from:Int64})
        ${Number.isFinite(toMs) ? "AND toStartOfHour(slot) < fromUnixTimestamp({to:Int64})" : ""}
        ${mode === "live" ? "AND mode = 'live'" : ""} AND campaign_id NOT IN ('', 'house', 'network')
      GROUP BY campaign_id, creative_id
      HAVING sum(served) + sum(impressions) + sum(clicks) > 0`,
    query_params: { from: fromMs / 1000, ...(Number.isFinite(toMs) && { to: toMs / 1000 }) },
    format: "JSONCompactEachRow",
  });
  return (await result.json<string[]>()).map(([campaignId = "", creativeId = "", served, impressions, clicks]) => ({
    campaignId,
    creativeId,
    served: Number(served),
    impressions: Number(impressions),
    clicks: Number(clicks),
  }));
}
