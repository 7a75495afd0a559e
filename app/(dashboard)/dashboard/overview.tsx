"use client";

import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../components/loaded";
import { PageHeader } from "../../components/page-header";
import { TrendPlot } from "../../components/plots/trend-plot";
import { useMode } from "../../components/shell/mode";
import { Section } from "../../components/ui/card";
import { Skeleton } from "../../components/ui/skeleton";
import { browserTimezone, dayOf, daysBefore, formatDay } from "../../format/dates";
import { formatShort } from "../../format/numbers";
import { useTRPC } from "../../trpc/client";
import { FirstRun } from "./first-run";
import type { Report } from "./report";
import { TodayFigures } from "./today-figures";

const DAYS = 14;
const REFRESH_MS = 15_000;
const SERIES = [
  { key: "requests", label: "Requests" },
  { key: "impressions", label: "Impressions" },
  { key: "clicks", label: "Clicks" },
];

export function Overview() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const timezone = browserTimezone();
  const today = dayOf(new Date(), timezone);
  const query = useQuery(
    trpc.reports.get.queryOptions(
      { mode, timezone, from: daysBefore(today, DAYS - 1), group_by: "day" },
      { refetchInterval: REFRESH_MS },
    ),
  );
  return (
    <>
      <PageHeader title="Overview" description={`Today, ${formatDay(today)}, in ${timezone}.`} />
      <Loaded query={query} loading={<OverviewSkeleton />}>
        {(report) => (
          <div className="space-y-6">
            <FirstRun totals={report.totals} />
            <TodayFigures report={report} today={today} />
            <Section title={`The last ${DAYS} days`}>
              <TrendPlot
                label={`Requests, impressions and clicks of the last ${DAYS} days. The same figures stand in Reports.`}
                points={pointsOf(report, today)}
                series={SERIES}
                formatValue={formatShort}
                formatX={formatDay}
              />
            </Section>
          </div>
        )}
      </Loaded>
    </>
  );
}

/** Days without events have no row; the plot shows them as zero. */
function pointsOf({ rows }: Report, today: string) {
  return Array.from({ length: DAYS }, (_, i) => {
    const day = daysBefore(today, DAYS - 1 - i);
    const row = rows.find((candidate) => candidate.day === day);
    return { x: day, requests: row?.requests ?? 0, impressions: row?.impressions ?? 0, clicks: row?.clicks ?? 0 };
  });
}

const OverviewSkeleton = () => (
  <div role="status" className="space-y-6">
    <span className="sr-only">Loading today's figures…</span>
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {["requests", "impressions", "clicks", "money"].map((figure) => (
        <Skeleton key={figure} className="h-26" />
      ))}
    </div>
    <Skeleton className="h-80" />
  </div>
);
