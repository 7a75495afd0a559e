import { z } from "zod";
import { nanosToMicros } from "../../kernel/money";
import { toWire } from "../../kernel/to-wire";

export const REPORT_GROUPS = [
  "day",
  "hour",
  "channel",
  "campaign",
  "creative",
  "placement",
  "geo",
  "device",
  "traffic",
] as const;

export type ReportGroup = (typeof REPORT_GROUPS)[number];

/** The summed columns of the rollups, which reports are computed from. */
export const REPORT_SUMS = [
  "requests",
  "filled",
  "served",
  "impressions",
  "clicks",
  "invalid_impressions",
  "invalid_clicks",
  "spend_nanos",
  "earnings_nanos",
  "conversions",
  "conversion_value_micros",
  "unverified_conversions",
  "unverified_conversion_value_micros",
] as const;

export type ReportSums = Record<(typeof REPORT_SUMS)[number], bigint>;

const Count = z.number().int().min(0);

/** The figures of one row or of the whole report; money in micros of the report's currency. */
export const ReportFigures = z.object({
  requests: Count.describe("Offers requests on the tenant's channels"),
  filled: Count.nullable().describe(
    "Requests that got at least one offer; null for a period that begins before the oldest single event that is kept",
  ),
  fill_rate: z.number().nullable().describe("filled / requests; null without requests or where `filled` is null"),
  served: Count.describe("Offers returned"),
  impressions: Count.describe("Offers that were viewed, invalid traffic excluded"),
  viewable_rate: z.number().nullable().describe("impressions / served; null when nothing was served"),
  clicks: Count.describe("First clicks, invalid traffic excluded"),
  invalid_impressions: Count,
  invalid_clicks: Count,
  ctr: z.number().nullable().describe("clicks / impressions; null without impressions"),
  spend_micros: Count.describe("Charges to the tenant's campaigns"),
  earnings_micros: Count.describe("Earnings of the tenant's channels"),
  conversions: Count.describe("Attributed orders, including unverified ones"),
  conversion_value_micros: Count,
  unverified_conversions: Count.describe("The part of `conversions` that only a pixel reported, not a server"),
  unverified_conversion_value_micros: Count.describe(
    "The part of `conversion_value_micros` from unverified conversions",
  ),
});

const Name = z.string().nullable().optional();

/** The requested groups, each under its own name, and the figures. */
export const ReportRow = ReportFigures.extend({
  day: z.string().optional().describe("Local date, such as 2026-11-20"),
  hour: z.string().optional().describe("Start of the local hour with its offset, such as 2026-11-20T13:00:00+01:00"),
  channel: Name.describe("Channel id, or `network` for the tenant's campaigns on channels of other tenants"),
  campaign: Name.describe("Campaign id; `network` or `house` for offers of other tenants on the tenant's channels"),
  creative: Name.describe("Creative id; null for offers of other tenants"),
  placement: Name,
  geo: Name.describe("ISO 3166-1 alpha-2 code; null when unknown"),
  device: Name,
  traffic: z.string().optional().describe("`valid`, or the reason why an event does not count"),
});

export const Report = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime().describe("Exclusive"),
  timezone: z.string(),
  group_by: z.array(z.enum(REPORT_GROUPS)),
  currency: z.string(),
  rows: z.array(ReportRow),
  totals: ReportFigures,
});

export type ReportFigures = z.infer<typeof ReportFigures>;
export type ReportRow = z.infer<typeof ReportRow>;
export type Report = z.infer<typeof Report>;

/**
 * The figures as returned: money is rounded only here. `isFillKnown`: the requests of the whole period are still kept
 * one by one.
 */
export function toReportFigures(sums: ReportSums, isFillKnown = true): ReportFigures {
  return toWire(ReportFigures, sums, {
    filled: isFillKnown ? Number(sums.filled) : null,
    fill_rate: isFillKnown ? rate(sums.filled, sums.requests) : null,
    viewable_rate: rate(sums.impressions, sums.served),
    invalid_impressions: Number(sums.invalid_impressions),
    invalid_clicks: Number(sums.invalid_clicks),
    ctr: rate(sums.clicks, sums.impressions),
    spend_micros: Number(nanosToMicros(sums.spend_nanos)),
    earnings_micros: Number(nanosToMicros(sums.earnings_nanos)),
    conversion_value_micros: Number(sums.conversion_value_micros),
    unverified_conversions: Number(sums.unverified_conversions),
    unverified_conversion_value_micros: Number(sums.unverified_conversion_value_micros),
  });
}

/** Adds exact sums, so that a total is rounded once and not per row. */
export function totalOf(rows: ReportSums[]): ReportSums {
  const total = Object.fromEntries(REPORT_SUMS.map((sum) => [sum, 0n])) as ReportSums;
  for (const row of rows) for (const sum of REPORT_SUMS) total[sum] += row[sum];
  return total;
}

const rate = (part: bigint, whole: bigint): number | null => (whole === 0n ? null : Number(part) / Number(whole));
