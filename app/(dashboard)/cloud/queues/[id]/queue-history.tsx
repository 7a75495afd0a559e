import { Activity } from "lucide-react";
import { QuerySection } from "../../../../components/query-content";
import { cn } from "../../../../components/ui/cn";
import { EmptyState } from "../../../../components/ui/empty-state";
import { Skeleton } from "../../../../components/ui/skeleton";
import { browserTimezone } from "../../../../format/dates";
import { formatCount } from "../../../../format/numbers";
import { refreshEvery } from "../../../../trpc/query-client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { PeriodButtons } from "../../../components/choice-buttons";
import { PlotTable } from "../../../components/plots/plot-table";
import { TrendPlot } from "../../../components/plots/trend-plot";
import { useUrlParams } from "../../../components/use-url-params";
import type { Queue } from "../queue";
import { type History, isQuiet, PERIODS, type Period, periodOf, pointText, startOf } from "./history-view";

const REFRESH_MS = 15_000;

/** Depth, and messages sent, received and acknowledged, over time. */
export function QueueHistory({ queue: { id, figures } }: { queue: Queue }) {
  const { params } = useUrlParams();
  const period = periodOf(params.get("period"));
  const asked = { q: id, from: startOf(period, new Date()), step: period.step };
  const query = useQueryOf("getQueueHistory", asked, {
    refetchInterval: refreshEvery(REFRESH_MS),
    placeholderData: (previous) => previous,
  });
  return (
    <QuerySection
      title="Over time"
      description="Measured once a minute while the queue has messages or is used, and kept for 14 days."
      actions={<PeriodButtons periods={PERIODS} chosen={period} />}
      query={query}
      loading={<Skeleton className="h-80" />}
    >
      {(history) =>
        isQuiet(history.points) ? (
          <EmptyState
            icon={Activity}
            title={figures.oldest_age_s === null ? `No messages in ${period.text}` : "Not measured yet"}
          >
            What is sent, received and acknowledged appears here within half a minute.
          </EmptyState>
        ) : (
          // The points of another period may still be shown.
          <div className={cn("space-y-8", history.step !== period.step && "opacity-60 transition-opacity")}>
            <Plots history={history} period={PERIODS.find(({ step }) => step === history.step) ?? period} />
          </div>
        )
      }
    </QuerySection>
  );
}

const DEPTH = [
  { key: "waiting", label: "Waiting" },
  { key: "in_flight", label: "In flight" },
  { key: "delayed", label: "Delayed" },
] as const;
const RATES = [
  { key: "sent", label: "Sent" },
  { key: "received", label: "Received" },
  { key: "acknowledged", label: "Acknowledged" },
] as const;

function Plots({ history: { points }, period }: { history: History; period: Period }) {
  const timezone = browserTimezone();
  const textOf = (start: string) => pointText(start, period, timezone);
  const plotted = points.map(({ start, ...figures }) => ({ x: start, ...figures }));
  const common = { points: plotted, unit: { kind: "count" }, formatX: textOf } as const;
  const open = `The current ${period.step === "1m" ? "minute" : period.stepText} so far`;
  const titles = { depth: "Messages in the queue", rates: `Messages per ${period.stepText}` };
  return (
    <>
      <div className="space-y-2">
        <h3 className="font-medium text-sm">{titles.depth}</h3>
        <TrendPlot
          {...common}
          label={`${titles.depth} in ${period.text}. The table below has the same figures.`}
          series={[...DEPTH]}
        />
      </div>
      <div className="space-y-2">
        <h3 className="font-medium text-sm">{titles.rates}</h3>
        <TrendPlot
          {...common}
          label={`${titles.rates} in ${period.text}. The table below has the same figures.`}
          series={[...RATES]}
          openX={points.at(-1)?.start}
          openLabel={open}
        />
      </div>
      <PlotTable
        summary={`Figures by ${period.stepText}`}
        caption={`Messages per ${period.stepText}`}
        heading="Start"
        points={plotted.filter(({ x, ...figures }) => !isQuiet([{ start: x, ...figures }]))}
        formatX={textOf}
        columns={[...DEPTH, ...RATES].map(({ key, label }) => ({
          label,
          of: (point: (typeof plotted)[number]) => formatCount(point[key]),
        }))}
        note="Times without any message are left out."
      />
    </>
  );
}
