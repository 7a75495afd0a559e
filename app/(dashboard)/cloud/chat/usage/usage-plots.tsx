import { browserTimezone } from "../../../../format/dates";
import { formatMoney } from "../../../../format/money";
import { formatCount } from "../../../../format/numbers";
import type { Unit } from "../../../../format/scale";
import { PlotTable } from "../../../components/plots/plot-table";
import { TrendPlot } from "../../../components/plots/trend-plot";
import { type Period, pointText, type UsagePoint } from "./usage-view";

interface UsagePlotsProps {
  points: UsagePoint[];
  period: Period;
  currency: string;
}

interface Plot {
  title: string;
  unit: Unit;
  series: { key: Exclude<keyof UsagePoint, "x">; label: string }[];
}

const COUNT = { kind: "count" } as const;

const plotsOf = (step: string, currency: string): Plot[] => [
  {
    title: `Requests per ${step}`,
    unit: COUNT,
    series: [
      { key: "requests", label: "Requests" },
      { key: "errors", label: "Errors" },
    ],
  },
  {
    title: `Tokens per ${step}`,
    unit: COUNT,
    series: [
      { key: "prompt_tokens", label: "Prompt tokens" },
      { key: "completion_tokens", label: "Answer tokens" },
    ],
  },
  {
    title: `Spend per ${step}`,
    unit: { kind: "money", currency },
    series: [{ key: "cost_micros", label: "Spend" }],
  },
  {
    title: "Latency in milliseconds",
    unit: COUNT,
    series: [
      { key: "p50", label: "p50" },
      { key: "p95", label: "p95" },
    ],
  },
];

/** The plots, and the same figures as a table. */
export function UsagePlots({ points, period, currency }: UsagePlotsProps) {
  const timezone = browserTimezone();
  const plots = plotsOf(period.step, currency);
  const textOf = (x: string) => pointText(x, period, timezone);
  const columns = plots.flatMap(({ unit, series }) => series.map((one) => ({ ...one, unit })));
  return (
    <>
      <div className="grid gap-8 xl:grid-cols-2">
        {plots.map(({ title, unit, series }) => (
          <div key={title} className="min-w-0 space-y-2">
            <h3 className="font-medium text-sm">{title}</h3>
            <TrendPlot
              label={`${title} in ${period.text}. The table below has the same figures.`}
              points={points.map((point) => ({ ...point }))}
              series={series}
              unit={unit}
              formatX={textOf}
              openX={points.at(-1)?.x}
              openLabel={`The current ${period.step} so far`}
            />
          </div>
        ))}
      </div>
      <PlotTable
        summary={`Figures by ${period.step}`}
        caption={`Chat usage per ${period.step}`}
        heading="Start"
        points={points.filter(({ requests }) => requests > 0)}
        formatX={textOf}
        columns={columns.map(({ key, label, unit }) => ({
          label,
          of: (point: UsagePoint) =>
            unit.kind === "money" ? formatMoney(point[key], unit.currency) : formatCount(point[key]),
        }))}
        note="Latency is of successful answers that did not come from the cache. Times without requests are left out."
      />
    </>
  );
}
