import type { ClickHouseClient } from "@clickhouse/client";
import { RollingWindow, type Span } from "../../kernel/rolling-window";
import { type CampaignCounts, countsIn } from "../auction/campaign-counts.sql";
import { ChargeRates } from "./charge-rates";

const DAYS = 7;

/**
 * Reads the outcomes of the last 7 days' offers by campaign. Each later call reads only new events. Each campaign's
 * events are read once, from its own tenant.
 */
export function chargeRateReader(clickhouse: ClickHouseClient): (now: Date) => Promise<ChargeRates> {
  const window = new RollingWindow<CampaignCounts[]>(DAYS, (span: Span) => countsIn(clickhouse, span, "live"));
  return async (now) => {
    const rates = new ChargeRates();
    for (const part of await window.parts(now))
      for (const { campaignId, ...counts } of part) rates.add(campaignId, counts);
    return rates;
  };
}
