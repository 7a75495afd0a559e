import { Activity } from "lucide-react";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { formatDateTime } from "../../../format/dates";
import { formatShare } from "../../../format/numbers";
import { PlotTable } from "../../components/plots/plot-table";
import { TrendPlot } from "../../components/plots/trend-plot";
import { type PoolPicture, poolName } from "./gpu-pool";

const SERIES = [
  { key: "used", label: "In use" },
  { key: "scattered", label: "Free, on nodes partly in use" },
] as const;
const PER_CENT = 100;

/** How much of a pool was in use in the last seven days. */
export function PoolHistory({ pool }: { pool: PoolPicture }) {
  const textOf = (start: string) => formatDateTime(start);
  const label = `Use of ${poolName(pool)} in the last 7 days`;
  const points = pool.history.map(({ start, used, scattered }) => ({
    x: start,
    used: used / PER_CENT,
    scattered: scattered / PER_CENT,
  }));
  return (
    <Section title="Over time" description="Means of an hour, in per cent of the pool's GPUs, for the last seven days.">
      {points.length === 0 ? (
        <EmptyState icon={Activity} title="Not measured yet">
          Pools are measured every five minutes once a pod has used them.
        </EmptyState>
      ) : (
        <div className="space-y-4">
          <TrendPlot
            points={points}
            series={[...SERIES]}
            unit={{ kind: "share" }}
            formatX={textOf}
            label={`${label}. The table below has the same figures.`}
          />
          <PlotTable
            summary="Figures by hour"
            caption={label}
            heading="Start"
            points={points}
            formatX={textOf}
            columns={SERIES.map(({ key, label: name }) => ({
              label: name,
              of: (point: (typeof points)[number]) => formatShare(point[key]),
            }))}
          />
        </div>
      )}
    </Section>
  );
}
