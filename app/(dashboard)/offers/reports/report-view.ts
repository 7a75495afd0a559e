import type { ReadonlyURLSearchParams } from "next/navigation";
import { browserTimezone, dayOf, daysBefore } from "../../../format/dates";
import type { Outputs } from "../../../trpc/client";
import { FIGURES, type Figure } from "./report-figures";

export type Report = Outputs["getReport"];
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

/** A report is broken down by at most so many groups. */
export const GROUPS_MAX = 3;

/** The groups to request: creatives are requested with their campaign, because product rows have no creative. */
export const groupsAsked = (groups: readonly Group[]): string =>
  [...new Set(groups.flatMap((group) => (group === "creative" ? ["campaign", group] : [group])))].join(",");

/** The groups that a report was requested for; a campaign that only names creatives is not one of them. */
export const groupsOf = ({ group_by }: Pick<Report, "group_by">, chosen: readonly Group[]): Group[] => {
  const groups = group_by.filter(
    (group) => group !== "campaign" || chosen.includes(group) || !group_by.includes("creative"),
  );
  return groups.length > 0 ? groups : ["day"];
};

/** Tells the rows of a report apart. */
export const keyOf = (row: ReportRow, groups: readonly Group[]): string =>
  groups.map((group) => (group === "creative" ? `${row.campaign} ${row.creative}` : (row[group] ?? ""))).join("\n");

/** Groups whose rows follow one another in time. */
export const isTime = (group: Group | undefined): boolean => group === "day" || group === "hour";

/** The order of rows: by a figure, or by `name`, what a row is called. */
export interface Sorting {
  key: string;
  isDescending: boolean;
}

/** What a report page shows; it lives in the address, so that it can be shared. */
export interface ReportChoice {
  /** Calendar days in `timezone`, both included. */
  from: string;
  to: string;
  timezone: string;
  today: string;
  groups: Group[];
  figure: Figure;
  /** In the order of FIGURES. */
  columns: Figure[];
  /** undefined: time in its own order, anything else by the plotted figure, the largest first. */
  sorting: Sorting | undefined;
  isCompared: boolean;
  /** "" for all of them. */
  channel: string;
  campaign: string;
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
  const asked = [...new Set((params.get("group_by") ?? "").split(","))];
  const groups = asked.flatMap((name) => GROUPS.find((group) => group === name) ?? []).slice(0, GROUPS_MAX);
  const columns = params.get("columns")?.split(",");
  return {
    from: day("from", daysBefore(to, DAYS_DEFAULT - 1)),
    to,
    timezone,
    today,
    groups: groups.length > 0 ? groups : ["day"],
    figure: FIGURES.find(({ key }) => key === params.get("figure")) ?? IMPRESSIONS,
    columns: FIGURES.filter(({ key, isUsual }) => (columns ? columns.includes(key) : isUsual)),
    sorting: sortingOf(params.get("sort") ?? ""),
    isCompared: params.get("compare") === "1",
    channel: params.get("channel") ?? "",
    campaign: params.get("campaign") ?? "",
  };
}

const IMPRESSIONS = FIGURES.find(({ key }) => key === "impressions") as Figure;

/** "-clicks" is by clicks, the largest first. */
function sortingOf(text: string): Sorting | undefined {
  const isDescending = text.startsWith("-");
  const key = isDescending ? text.slice(1) : text;
  return key === "name" || FIGURES.some((figure) => figure.key === key) ? { key, isDescending } : undefined;
}

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

/** The days before a period, as many as it has. */
export const periodBefore = ({ from, to }: Pick<ReportChoice, "from" | "to">): { from: string; days: number } => {
  const days = daysBetween(from, to).length;
  return { from: daysBefore(from, days), days };
};
