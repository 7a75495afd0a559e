import { QuerySection } from "../../../../components/query-content";
import { Skeleton } from "../../../../components/ui/skeleton";
import { formatBytes } from "../../../../format/bytes";
import { browserTimezone, dayOf, formatDay, formatTime } from "../../../../format/dates";
import { formatCount } from "../../../../format/numbers";
import type { Outputs } from "../../../../trpc/client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { ChoiceButtons } from "../../../components/choice-buttons";
import { Figures } from "../../../components/figures";
import { PlotTable } from "../../../components/plots/plot-table";
import { TrendPlot } from "../../../components/plots/trend-plot";
import { useUrlParams } from "../../../components/use-url-params";
import type { Bucket } from "../bucket";

const PERIODS = [
  { days: 1, label: "1 day" },
  { days: 7, label: "7 days" },
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
];
const DEFAULT_DAYS = 7;

/** What the bucket holds, now and over time. */
export function BucketUsage({ bucket }: { bucket: Bucket }) {
  const { params, change } = useUrlParams();
  const days = PERIODS.find((period) => String(period.days) === params.get("days"))?.days ?? DEFAULT_DAYS;
  const query = useQueryOf("getBucketUsage", { bucket: bucket.id, days });
  const { objects, versions, bytes, tiers } = bucket.usage;
  const colder = (["warm", "cold", "archive"] as const).filter((tier) => tiers[tier] > 0);
  return (
    <div className="space-y-6">
      <Figures
        main={{ label: "Size", value: formatBytes(bytes), note: "all versions and unfinished uploads" }}
        parts={[
          { label: "Objects", value: formatCount(objects) },
          { label: "Stored versions", value: formatCount(versions), note: "current ones included" },
          ...colder.map((tier) => ({ label: `In ${tier}`, value: formatBytes(tiers[tier]) })),
        ]}
      />
      <QuerySection
        title="Over time"
        description="Measured once an hour, and kept for 90 days; the last figure is current."
        actions={
          <ChoiceButtons
            legend="Period"
            choices={PERIODS}
            isChosen={(period) => period.days === days}
            onChoose={(period) => change({ days: period.days === DEFAULT_DAYS ? "" : String(period.days) })}
          />
        }
        query={query}
        loading={<Skeleton className="h-80" />}
      >
        {(history) => <Plot {...history} />}
      </QuerySection>
    </div>
  );
}

type History = Outputs["getBucketUsage"];

const SERIES = [{ key: "bytes", label: "Size" }] as const;

function Plot({ step, points }: History) {
  const timezone = browserTimezone();
  // Longer periods have a figure for each day of UTC.
  const textOf = (start: string) =>
    step === "1d"
      ? formatDay(start.slice(0, 10))
      : `${formatDay(dayOf(new Date(start), timezone))} ${formatTime(start, timezone)}`;
  const plotted = points.map(({ start, ...figures }) => ({ x: start, ...figures }));
  return (
    <div className="space-y-6">
      <TrendPlot
        label="Size of the bucket over time. The table below has the same figures."
        points={plotted}
        series={[...SERIES]}
        unit={{ kind: "bytes" }}
        formatX={textOf}
      />
      <PlotTable
        summary="Figures"
        caption="Size and objects over time"
        heading="Time"
        points={plotted}
        formatX={textOf}
        columns={[
          { label: "Size", of: ({ bytes }) => formatBytes(bytes) },
          { label: "Objects", of: ({ objects }) => formatCount(objects) },
        ]}
      />
    </div>
  );
}
