import type { ClickHouseClient } from "@clickhouse/client";
import { SettleRates } from "./settle-rates";

const DAYS = 7;

/** What became of the offers of the last 7 days, by campaign; each campaign's events stand once, at its own tenant. */
export async function loadSettleRates(clickhouse: ClickHouseClient, now: Date): Promise<SettleRates> {
  const answer = await clickhouse.query({
    query: `
      SELECT toString(campaign_id), toString(sum(served)), toString(sum(impressions)), toString(sum(clicks))
      FROM report_slots
      WHERE mode = 'live' AND slot >= fromUnixTimestamp({from:Int64}) AND campaign_id NOT IN ('', 'house', 'network')
      GROUP BY campaign_id
      HAVING sum(served) > 0`,
    query_params: { from: Math.floor(now.getTime() / 1000) - DAYS * 86_400 },
    format: "JSONCompactEachRow",
  });
  const rates = new SettleRates();
  for (const [campaignId = "", served, impressions, clicks] of await answer.json<string[]>()) {
    rates.add(campaignId, { served: Number(served), impressions: Number(impressions), clicks: Number(clicks) });
  }
  return rates;
}
