import type { ClickHouseClient } from "@clickhouse/client";
import { RollingWindow, type Span } from "../../kernel/rolling-window";
import { type CampaignCounts, countsIn } from "./campaign-counts.sql";
import { ClickRates } from "./click-rates";

const DAYS = 30;

/**
 * Reads the click rates of the last 30 days from the rollup. Each later call reads only new events. Only counted events
 * are included, and each campaign's events are read once, from its own tenant.
 */
export function clickRateReader(clickhouse: ClickHouseClient): (now: Date) => Promise<ClickRates> {
  const window = new RollingWindow<CampaignCounts[]>(DAYS, (span: Span) => countsIn(clickhouse, span, "any"));
  return async (now) => {
    const rates = new ClickRates();
    for (const part of await window.parts(now)) {
      for (const { campaignId, creativeId, impressions, clicks } of part)
        if (impressions + clicks > 0) rates.add(campaignId, creativeId, { impressions, clicks });
    }
    return rates;
  };
}
