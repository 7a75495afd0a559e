import type { ReadonlyURLSearchParams } from "next/navigation";
import { browserTimezone, dayOf, daysBefore } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { formatCount, formatShare } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";

export type Report = Outputs["reports"]["get"];
export type ReportRow = Report["rows"][number];

export const GROUPS = [
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
export type Group = (typeof GROUPS)[number];

/** The groups to request: creatives are requested with their campaign, because product rows have no creative. */
export const groupsAsked = (group: Group): string => (group === "creative" ? "campaign,creative" : group);

/** The group that a report was asked for. */
export const groupOf = ({ group_by }: Pick<Report, "group_by">): Group => group_by.at(-1) ?? "day";

/** Tells the rows of a report apart. */
export const keyOf = (row: ReportRow, group: Group): string =>
  group === "creative" ? `${row.campaign} ${row.creative}` : (row[group] ?? "");

/** Groups whose rows follow one another in time. */
export const isTime = (group: Group): boolean => group === "day" || group === "hour";

/** What a figure is called, how it is read from a row, and how it is written. */
export interface Figure {
  key: Exclude<keyof Report["totals"], symbol>;
  label: string;
  kind: "count" | "share" | "money";
}

export const FIGURES: Figure[] = [
  { key: "requests", label: "Requests", kind: "count" },
  { key: "served", label: "Served", kind: "count" },
  { key: "impressions", label: "Impressions", kind: "count" },
  { key: "viewable_rate", label: "Viewable", kind: "share" },
  { key: "clicks", label: "Clicks", kind: "count" },
  { key: "ctr", label: "Click rate", kind: "share" },
  { key: "conversions", label: "Conversions", kind: "count" },
  { key: "conversion_value_micros", label: "Order value", kind: "money" },
  { key: "unverified_conversions", label: "Unverified conversions", kind: "count" },
  { key: "unverified_conversion_value_micros", label: "Unverified order value", kind: "money" },
  { key: "earnings_micros", label: "Earnings", kind: "money" },
  { key: "spend_micros", label: "Spend", kind: "money" },
  { key: "invalid_impressions", label: "Invalid impressions", kind: "count" },
  { key: "invalid_clicks", label: "Invalid clicks", kind: "count" },
];

export const formatFigure = (value: number | null, kind: Figure["kind"], currency: string): string =>
  kind === "share"
    ? formatShare(value)
    : kind === "money"
      ? formatMoney(value ?? 0, currency)
      : formatCount(value ?? 0);

/** What a report page shows; it lives in the address, so that it can be shared. */
export interface ReportChoice {
  /** Calendar days in `timezone`, both included. */
  from: string;
  to: string;
  timezone: string;
  today: string;
  group: Group;
  figure: Figure;
}

const DAYS_DEFAULT = 7;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The choice in an address; what is missing or wrong becomes the last seven days by day, impressions plotted. */
export function choiceOf(params: URLSearchParams | ReadonlyURLSearchParams): ReportChoice {
  const timezone = params.get("timezone") || browserTimezone();
  const today = dayOf(new Date(), isTimezone(timezone) ? timezone : "UTC");
  const day = (name: string, otherwise: string) =>
    DAY.test(params.get(name) ?? "") ? (params.get(name) as string) : otherwise;
  const to = day("to", today);
  return {
    from: day("from", daysBefore(to, DAYS_DEFAULT - 1)),
    to,
    timezone,
    today,
    group: GROUPS.find((group) => group === params.get("group_by")) ?? "day",
    figure: FIGURES.find(({ key }) => key === params.get("figure")) ?? IMPRESSIONS,
  };
}

const IMPRESSIONS: Figure = { key: "impressions", label: "Impressions", kind: "count" };

function isTimezone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** Every calendar day from `from` to `to`, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = daysBefore(day, -1)) days.push(day);
  return days;
}

const HOUR_MS = 3_600_000;

/** The beginning of every hour from `fromMs` on that lies before `toMs`. */
export const hoursBetween = (fromMs: number, toMs: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((toMs - fromMs) / HOUR_MS)) }, (_, i) => fromMs + i * HOUR_MS);
