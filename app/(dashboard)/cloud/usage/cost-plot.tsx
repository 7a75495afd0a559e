"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryContent } from "../../../components/query-content";
import { Skeleton } from "../../../components/ui/skeleton";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDay } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { TrendPlot } from "../../components/plots/trend-plot";
import { useMode } from "../../components/shell/mode";
import { PLOTTED, pointsOf } from "./usage-view";

const REFRESH_MS = 60_000;

/** The cost of each day by service, and the same figures as a table. */
export function CostPlot() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useQuery(
    trpc.getUsage.queryOptions({ mode, group_by: "day,service" }, { refetchInterval: refreshEvery(REFRESH_MS) }),
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
              <details>
                <summary className="cursor-pointer text-sm">Figures by day</summary>
                <div className="pt-3">
                  <Table
                    caption="Cost per day"
                    columns={[{ label: "Day" }, ...PLOTTED.map(({ label }) => ({ label, numeric: true }))]}
                  >
                    {points.toReversed().map((point) => (
                      <Row key={point.x}>
                        <RowHeading className="whitespace-nowrap">{formatDay(point.x)}</RowHeading>
                        {PLOTTED.map(({ key }) => (
                          <Cell key={key} numeric>
                            {formatMoney(point[key], currency)}
                          </Cell>
                        ))}
                      </Row>
                    ))}
                  </Table>
                </div>
              </details>
            </>
          );
        }}
      </QueryContent>
    </div>
  );
}
