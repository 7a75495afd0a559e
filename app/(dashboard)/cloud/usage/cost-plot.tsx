import { QueryContent } from "../../../components/query-content";
import { Skeleton } from "../../../components/ui/skeleton";
import { formatDay } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { refreshEvery } from "../../../trpc/query-client";
import { useQueryOf } from "../../../trpc/use-operation";
import { PlotTable } from "../../components/plots/plot-table";
import { TrendPlot } from "../../components/plots/trend-plot";
import { useMode } from "../../components/shell/mode";
import { PLOTTED, pointsOf } from "./usage-view";

const REFRESH_MS = 60_000;

/** The cost of each day by service, and the same figures as a table. */
export function CostPlot() {
  const { mode } = useMode();
  const query = useQueryOf(
    "getUsage",
    { mode, group_by: "day,service" },
    { refetchInterval: refreshEvery(REFRESH_MS) },
  );
  return (
    <div className="space-y-2">
      <h3 className="font-medium text-sm">Cost per day</h3>
      <QueryContent query={query} loading={<Skeleton className="h-64" />}>
        {({ currency, ...usage }) => {
          const points = pointsOf(usage);
          return (
            <>
              <TrendPlot
                label="Cost per day of this month by service. The table below has the same figures."
                points={points.map((point) => ({ ...point }))}
                series={[...PLOTTED]}
                unit={{ kind: "money", currency }}
                formatX={formatDay}
                openX={points.at(-1)?.x}
                isStacked
              />
              <PlotTable
                summary="Figures by day"
                caption="Cost per day"
                heading="Day"
                points={points}
                formatX={formatDay}
                columns={PLOTTED.map(({ key, label }) => ({
                  label,
                  of: (point: (typeof points)[number]) => formatMoney(point[key], currency),
                }))}
              />
            </>
          );
        }}
      </QueryContent>
    </div>
  );
}
