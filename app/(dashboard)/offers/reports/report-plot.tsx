"use client";

import { dayOf, formatDay, formatTime } from "../../../format/dates";
import { formatShort } from "../../../format/numbers";
import { BarPlot } from "../../components/plots/bar-plot";
import { TrendPlot } from "../../components/plots/trend-plot";
import {
  daysBetween,
  type Figure,
  formatFigure,
  type Group,
  hoursBetween,
  isTime,
  type Report,
  type ReportChoice,
  type ReportRow,
} from "./report-view";

const BARS_MAX = 12;

interface ReportPlotProps {
  report: Report;
  choice: ReportChoice;
  nameOf: (row: ReportRow, group: Group) => string;
}

/** Time as a line, anything else as bars, the largest first. */
export function ReportPlot({ report, choice, nameOf }: ReportPlotProps) {
  const { figure, group } = choice;
  const label = `${figure.label} by ${group}. The table below holds the same figures.`;
  const formatValue = (value: number) =>
    figure.kind === "count" ? formatShort(value) : formatFigure(value, figure.kind, report.currency);
  if (isTime(group)) {
    const { timezone } = report;
    const shortX = (x: string) =>
      group === "day" ? formatDay(x) : `${formatDay(dayOf(new Date(x), timezone))} ${formatTime(x, timezone)}`;
    return (
      <TrendPlot
        label={label}
        points={group === "day" ? dayPoints(report, choice) : hourPoints(report, figure)}
        series={[{ key: "value", label: figure.label }]}
        formatValue={formatValue}
        formatX={shortX}
      />
    );
  }
  const bars = report.rows
    .map((row) => ({ name: nameOf(row, group), value: row[figure.key] ?? 0 }))
    .sort((a, b) => b.value - a.value)
    .slice(0, BARS_MAX);
  return <BarPlot label={label} bars={bars} valueLabel={figure.label} formatValue={formatValue} />;
}

/** A day without a row is a day without events; days to come have no value yet. */
function dayPoints({ rows }: Report, { from, to, today, figure }: ReportChoice) {
  const values = new Map(rows.map((row) => [row.day, row[figure.key] ?? 0]));
  const last = to < today ? to : today;
  return daysBetween(from, last).map((day) => ({ x: day, value: values.get(day) ?? 0 }));
}

/** Likewise an hour, of which `x` is the moment. */
function hourPoints({ rows, from, to }: Report, { key }: Figure) {
  const values = new Map(rows.map((row) => [Date.parse(row.hour ?? ""), row[key] ?? 0]));
  return hoursBetween(Date.parse(from), Math.min(Date.parse(to), Date.now())).map((at) => ({
    x: new Date(at).toISOString(),
    value: values.get(at) ?? 0,
  }));
}
