import { dayOf, daysBefore, formatDay, formatTime } from "../../../format/dates";
import type { Unit } from "../../../format/scale";
import { BarPlot } from "../../components/plots/bar-plot";
import { TrendPlot } from "../../components/plots/trend-plot";
import type { Figure } from "./report-figures";
import {
  daysBetween,
  type Group,
  hoursBetween,
  isTime,
  keyOf,
  periodBefore,
  type Report,
  type ReportChoice,
  type ReportRow,
} from "./report-view";

const BARS_MAX = 12;
const LINES_MAX = 5;

interface ReportPlotProps {
  report: Report;
  choice: ReportChoice;
  nameOf: (row: ReportRow, group: Group) => string;
  /** The report on the period before. */
  before: Report | undefined;
}

/** Time as lines, anything else as bars, the largest first. */
export function ReportPlot({ report, choice, nameOf, before }: ReportPlotProps) {
  const { figure, groups } = choice;
  const label = `${figure.label} by ${groups.join(", ")}. The table below holds the same figures.`;
  const unit: Unit = figure.kind === "money" ? { kind: "money", currency: report.currency } : { kind: figure.kind };
  if (groups.some(isTime))
    return <Lines report={report} choice={choice} nameOf={nameOf} before={before} label={label} unit={unit} />;
  const bars = report.rows
    .map((row) => ({
      name: groups.map((group) => nameOf(row, group)).join(", "),
      value: figure.of(row) ?? 0,
    }))
    .sort((a, b) => b.value - a.value)
    .slice(0, BARS_MAX);
  return <BarPlot label={label} bars={bars} valueLabel={figure.label} unit={unit} />;
}

interface Line {
  key: string;
  label: string;
  rows: readonly ReportRow[];
}

function Lines({ report, choice, nameOf, before, label, unit }: ReportPlotProps & { label: string; unit: Unit }) {
  const { groups, figure, to, today } = choice;
  const { timezone } = report;
  const time = groups.includes("hour") ? "hour" : "day";
  const lines = linesOf(report, choice, nameOf);
  const points = pointsOf(report, choice, lines);
  if (before && time === "day" && lines.length === 1) addBefore(points, before, choice);
  const series = lines.map(({ key, label: name }) => ({ key, label: name }));
  if (points.some((point) => "before" in point)) series.push({ key: "before", label: "Period before" });
  const formatX = (x: string) =>
    time === "day" ? formatDay(x) : `${formatDay(dayOf(new Date(x), timezone))} ${formatTime(x, timezone)}`;
  return (
    <>
      <TrendPlot
        label={label}
        points={points}
        series={series}
        unit={unit}
        formatX={formatX}
        openX={to >= today ? points.at(-1)?.x : undefined}
        openLabel={time === "day" ? "Today so far" : "This hour so far"}
      />
      {lines.length === LINES_MAX && (
        <p className="mt-2 text-muted-foreground text-xs">
          The {LINES_MAX} with the most {figure.label.toLowerCase()}.
        </p>
      )}
    </>
  );
}

/** One line, or one for each of the largest values of the groups beside time. */
function linesOf({ rows }: Report, { groups, figure }: ReportChoice, nameOf: ReportPlotProps["nameOf"]): Line[] {
  const others = groups.filter((group) => !isTime(group));
  if (others.length === 0) return [{ key: "value", label: figure.label, rows }];
  const byName = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const key = keyOf(row, others);
    byName.set(key, [...(byName.get(key) ?? []), row]);
  }
  const sumOf = (line: readonly ReportRow[]) => line.reduce((sum, row) => sum + (figure.of(row) ?? 0), 0);
  return [...byName.values()]
    .sort((a, b) => sumOf(b) - sumOf(a))
    .filter((line, i) => i === 0 || sumOf(line) > 0)
    .slice(0, LINES_MAX)
    .map((line, i) => ({
      key: `line${i}`,
      label: others.map((group) => (line[0] ? nameOf(line[0], group) : "")).join(", "),
      rows: line,
    }));
}

type Point = { x: string } & Record<string, string | number>;

/** Where a line has no row, there were no events; days and hours to come have no value yet. */
function pointsOf(report: Report, { from, to, today, groups, figure }: ReportChoice, lines: readonly Line[]): Point[] {
  const byHour = groups.includes("hour");
  const xs = byHour
    ? hoursBetween(Date.parse(report.from), Math.min(Date.parse(report.to), Date.now())).map((at) => hourX(at))
    : daysBetween(from, to < today ? to : today);
  const points = xs.map((x): Point => ({ x }));
  for (const { key, rows } of lines) {
    const values = valuesByX(rows, figure, byHour);
    for (const point of points) point[key] = values.get(point.x) ?? 0;
  }
  return points;
}

const hourX = (at: number): string => new Date(at).toISOString();

/** Days by calendar day and hours by moment; a group can be both. */
function valuesByX(rows: readonly ReportRow[], { of }: Figure, byHour: boolean): Map<string, number> {
  return new Map(rows.map((row) => [byHour ? hourX(Date.parse(row.hour ?? "")) : (row.day ?? ""), of(row) ?? 0]));
}

/** What the period before had at the same place. */
function addBefore(points: Point[], before: Report, choice: ReportChoice): void {
  const { days } = periodBefore(choice);
  const values = valuesByX(before.rows, choice.figure, false);
  for (const point of points) point.before = values.get(daysBefore(point.x, days)) ?? 0;
}
