import { formatDay } from "../../../format/dates";
import { changeText } from "../../../format/numbers";
import { Figures, type ShownFigure } from "../../components/figures";
import { FIGURES, type Figure, formatFigure } from "./report-figures";
import type { Report, ReportChoice } from "./report-view";

const BESIDE = ["earnings_micros", "spend_micros", "impressions", "clicks", "ctr", "conversions"];
const BESIDE_MAX = 4;

interface ReportTotalsProps {
  report: Report;
  choice: ReportChoice;
  /** The report on the period before. */
  before: Report | undefined;
}

/** The total of the plotted figure, and beside it the most important others that are not zero. */
export function ReportTotals({ report, choice: { figure, from, to }, before }: ReportTotalsProps) {
  const shownOf = ({ label, kind, of }: Figure): ShownFigure => ({
    label,
    value: formatFigure(of(report.totals), kind, report.currency),
    note: before && noteOf(of(report.totals), of(before.totals)),
  });
  const period = from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;
  const parts = BESIDE.flatMap((key) => FIGURES.find((one) => one.key === key) ?? [])
    .filter((one) => one.key !== figure.key && one.of(report.totals))
    .slice(0, BESIDE_MAX);
  return <Figures main={{ ...shownOf(figure), label: period }} parts={parts.map(shownOf)} />;
}

const noteOf = (now: number | null, then: number | null): string | undefined => {
  const text = now === null || then === null ? undefined : changeText(now, then);
  return text && `${text} vs the period before`;
};
