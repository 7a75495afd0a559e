import { formatMoney } from "../../../format/money";
import { formatCount, formatRate } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";

/** The figures of a row or of the whole report, as the API returns them. */
export type Sums = Outputs["getReport"]["totals"];

/** What a figure is called, how it is computed from a row, and how it is written. */
export interface Figure {
  key: string;
  label: string;
  kind: "count" | "share" | "money";
  /** null where nothing was measured. */
  of: (sums: Sums) => number | null;
  /** Only figures that are not self-explanatory have one. */
  meaning?: string;
  /** Shown until other columns are chosen. */
  isUsual: boolean;
}

/** A figure that the API returns under its own name. */
const given = (key: Exclude<keyof Sums, symbol>, label: string, kind: Figure["kind"]): Omit<Figure, "isUsual"> => ({
  key,
  label,
  kind,
  of: (sums) => sums[key],
});

const usual = (figure: Omit<Figure, "isUsual">): Figure => ({ ...figure, isUsual: true });
const other = (figure: Omit<Figure, "isUsual">): Figure => ({ ...figure, isUsual: false });

const ratio = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

export const FIGURES: Figure[] = [
  usual(given("requests", "Requests", "count")),
  usual({ ...given("fill_rate", "Fill rate", "share"), meaning: "The share of requests that got at least one offer." }),
  usual(given("served", "Served", "count")),
  usual(given("impressions", "Impressions", "count")),
  other({ ...given("viewable_rate", "Viewable", "share"), meaning: "Impressions per served offer." }),
  usual(given("clicks", "Clicks", "count")),
  usual({ ...given("ctr", "Click rate", "share"), meaning: "Clicks per impression." }),
  usual(given("conversions", "Conversions", "count")),
  other(given("conversion_value_micros", "Order value", "money")),
  other(given("unverified_conversions", "Unverified conversions", "count")),
  other(given("unverified_conversion_value_micros", "Unverified order value", "money")),
  usual(given("earnings_micros", "Earnings", "money")),
  usual({
    key: "rpm",
    label: "RPM",
    kind: "money",
    of: ({ earnings_micros, impressions }) => ratio(1000 * earnings_micros, impressions),
    meaning: "Earnings per 1,000 impressions.",
  }),
  usual(given("spend_micros", "Spend", "money")),
  usual({
    key: "ecpc",
    label: "eCPC",
    kind: "money",
    of: ({ spend_micros, clicks }) => ratio(spend_micros, clicks),
    meaning: "Spend per click, whatever the campaign pays for.",
  }),
  other(given("invalid_impressions", "Invalid impressions", "count")),
  other(given("invalid_clicks", "Invalid clicks", "count")),
];

/** A dash, not zero, where nothing was measured. */
export function formatFigure(value: number | null, kind: Figure["kind"], currency: string): string {
  if (value === null) return "–";
  if (kind === "share") return formatRate(value);
  return kind === "money" ? formatMoney(value, currency) : formatCount(value);
}
