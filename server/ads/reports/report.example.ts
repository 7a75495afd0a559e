import type { Report } from "./report";

const figures = {
  requests: 1200,
  filled: 960,
  fill_rate: 0.8,
  served: 1100,
  impressions: 800,
  viewable_rate: 0.727,
  clicks: 24,
  invalid_impressions: 12,
  invalid_clicks: 1,
  ctr: 0.03,
  spend_micros: 9_600_000,
  earnings_micros: 6_720_000,
  conversions: 2,
  conversion_value_micros: 99_800_000,
  unverified_conversions: 1,
  unverified_conversion_value_micros: 49_900_000,
};

export const reportExample: Report = {
  from: "2026-11-20T00:00:00.000Z",
  to: "2026-11-21T00:00:00.000Z",
  timezone: "UTC",
  group_by: ["day"],
  currency: "USD",
  rows: [{ day: "2026-11-20", ...figures }],
  totals: figures,
};
