"use client";

import { QueryContent } from "../../../components/query-content";
import { Section } from "../../../components/ui/card";
import { Skeleton } from "../../../components/ui/skeleton";
import { browserTimezone, dayOf, daysBefore, formatDay } from "../../../format/dates";
import { useQueryOf } from "../../../trpc/use-operation";
import { PageHeader } from "../../components/page-header";
import { TrendPlot } from "../../components/plots/trend-plot";
import { useMode } from "../../components/shell/mode";
import { Attention } from "./attention";
import { Earnings } from "./earnings";
import { FirstRun } from "./first-run";
import type { Report } from "./report";
import { TodayFigures } from "./today-figures";
import { timeOfDay } from "./trend";

const DAYS = 14;
const WEEK_DAYS = 7;
const REFRESH_MS = 15_000;
/** Until the first impression the onboarding steps update live. */
const POLL_MS = 3_000;
/** Yesterday's and last week's figures rarely change. */
const PAST_REFRESH_MS = 60_000;
const SERIES = [
  { key: "requests", label: "Requests" },
  { key: "impressions", label: "Impressions" },
  { key: "clicks", label: "Clicks" },
];

export function Overview() {
  const { mode } = useMode();
  const timezone = browserTimezone();
  const today = dayOf(new Date(), timezone);
  const shown = Array.from({ length: DAYS }, (_, i) => daysBefore(today, DAYS - 1 - i));
  const days = useQueryOf(
    "getReport",
    { mode, timezone, from: daysBefore(today, DAYS - 1), group_by: "day" },
    {
      refetchInterval: ({ state: { data } }) => (data && data.totals.impressions > 0 ? REFRESH_MS : POLL_MS),
    },
  );
  const hours = useQueryOf(
    "getReport",
    { mode, timezone, from: daysBefore(today, WEEK_DAYS), group_by: "hour" },
    { refetchInterval: PAST_REFRESH_MS },
  );
  return (
    <>
      <PageHeader title="Overview" description={`Today, ${formatDay(today)}, in ${timezone}.`} />
      <QueryContent query={days} loading={<OverviewSkeleton />}>
        {(report) => (
          <div className="space-y-6">
            <FirstRun totals={report.totals} />
            <TodayFigures days={report} hours={hours.data} shown={shown} time={timeOfDay(new Date(), timezone)} />
            <Attention />
            {report.rows.length > 0 && <DailyTrend report={report} shown={shown} />}
            <Earnings />
          </div>
        )}
      </QueryContent>
    </>
  );
}

const DailyTrend = ({ report, shown }: { report: Report; shown: string[] }) => (
  <Section title={`The last ${DAYS} days`}>
    <TrendPlot
      label={`Requests, impressions and clicks of the last ${DAYS} days. Reports has the same figures.`}
      points={pointsOf(report, shown)}
      series={SERIES}
      unit={{ kind: "count" }}
      formatX={formatDay}
      openX={shown.at(-1)}
    />
  </Section>
);

/** Days without events have no row; the plot shows them as zero. */
const pointsOf = ({ rows }: Report, shown: string[]) =>
  shown.map((day) => {
    const row = rows.find((candidate) => candidate.day === day);
    return { x: day, requests: row?.requests ?? 0, impressions: row?.impressions ?? 0, clicks: row?.clicks ?? 0 };
  });

const OverviewSkeleton = () => (
  <div role="status" className="space-y-6">
    <span className="sr-only">Loading today's figures…</span>
    <Skeleton className="h-64" />
    <Skeleton className="h-80" />
  </div>
);
