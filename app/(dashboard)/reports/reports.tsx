"use client";

import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { Loaded } from "../../components/loaded";
import { PageHeader } from "../../components/page-header";
import { useMode } from "../../components/shell/mode";
import { Section } from "../../components/ui/card";
import { Empty } from "../../components/ui/empty";
import { Skeleton } from "../../components/ui/skeleton";
import { daysBefore } from "../../format/dates";
import { useTRPC } from "../../trpc/client";
import { DownloadCsv } from "./download-csv";
import { ReportFilters } from "./report-filters";
import { ReportPlot } from "./report-plot";
import { ReportTable } from "./report-table";
import { choiceOf } from "./report-view";
import { TrafficLegend } from "./traffic-legend";
import { useNames } from "./use-names";

const REFRESH_MS = 30_000;

export function Reports() {
  const trpc = useTRPC();
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const { mode } = useMode();
  const choice = choiceOf(params);
  const nameOf = useNames();
  const asked = {
    mode,
    from: choice.from,
    to: daysBefore(choice.to, -1),
    timezone: choice.timezone,
    group_by: choice.group,
  };
  const query = useQuery(
    trpc.reports.get.queryOptions(asked, { refetchInterval: REFRESH_MS, placeholderData: (previous) => previous }),
  );
  const change = (changes: Record<string, string>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) next.set(name, value);
    router.replace(`${pathname}?${next}`, { scroll: false });
  };
  return (
    <>
      <PageHeader
        title="Reports"
        description="Impressions and clicks without invalid traffic. Events appear within seconds."
        actions={<DownloadCsv asked={asked} fileName={`svc-${choice.group}-${choice.from}-to-${choice.to}.csv`} />}
      />
      <div className="space-y-6">
        <ReportFilters choice={choice} onChange={change} />
        <Loaded query={query} loading={<Skeleton className="h-96" />}>
          {(report) =>
            report.rows.length === 0 ? (
              <Empty icon={ChartColumn} title="Nothing happened in this time">
                No requests, impressions or clicks in {mode} mode. Choose other days or the other mode.
              </Empty>
            ) : (
              <>
                <Section title={choice.figure.label}>
                  <ReportPlot report={report} choice={choice} nameOf={nameOf} />
                </Section>
                <ReportTable report={report} group={choice.group} figure={choice.figure} nameOf={nameOf} />
                {choice.group === "traffic" && <TrafficLegend rows={report.rows} />}
              </>
            )
          }
        </Loaded>
      </div>
    </>
  );
}
