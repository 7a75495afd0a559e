import { daysBefore } from "../../../../format/dates";
import type { Figure } from "../../reports/report-figures";
import type { Report } from "../../reports/report-view";

/** A figure by day, `days` of them until today; a day without events has no row and counts as zero. */
export const figurePoints = (
  { rows }: Pick<Report, "rows">,
  { of }: Pick<Figure, "of">,
  { today, days }: { today: string; days: number },
): { x: string; value: number }[] => {
  const values = new Map(rows.map((row) => [row.day, of(row) ?? 0]));
  return Array.from({ length: days }, (_, i) => {
    const x = daysBefore(today, days - 1 - i);
    return { x, value: values.get(x) ?? 0 };
  });
};
