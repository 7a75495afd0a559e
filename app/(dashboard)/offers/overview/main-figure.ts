import type { Report } from "./report";

type Totals = Pick<Report["totals"], "earnings_micros" | "spend_micros" | "impressions">;

/** The figure that matters most to who had these totals lately: money where there was any, else how often offers were seen. */
export function mainFigureOf({ earnings_micros, spend_micros, impressions }: Totals): string {
  if (earnings_micros > 0) return "earnings_micros";
  if (spend_micros > 0) return "spend_micros";
  return impressions > 0 ? "impressions" : "requests";
}
