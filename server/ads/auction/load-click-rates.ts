import type { ClickHouseClient } from "@clickhouse/client";
import { ClickRates } from "./click-rates";

const DAYS = 30;

/** Click rates from the rollup of the last 30 days, counted events only; each campaign's events stand once, at its own tenant. */
export async function loadClickRates(clickhouse: ClickHouseClient, now: Date): Promise<ClickRates> {
  const answer = await clickhouse.query({
    query: `
      SELECT toString(campaign_id), creative_id, toString(sum(impressions)), toString(sum(clicks))
      FROM report_slots
      WHERE slot >= fromUnixTimestamp({from:Int64}) AND campaign_id NOT IN ('', 'house', 'network')
      GROUP BY campaign_id, creative_id
      HAVING sum(impressions) + sum(clicks) > 0`,
    query_params: { from: Math.floor(now.getTime() / 1000) - DAYS * 86_400 },
    format: "JSONCompactEachRow",
  });
  const rates = new ClickRates();
  for (const [campaignId = "", creativeId = "", impressions, clicks] of await answer.json<string[]>()) {
    rates.add(campaignId, creativeId, { impressions: Number(impressions), clicks: Number(clicks) });
  }
  return rates;
}
