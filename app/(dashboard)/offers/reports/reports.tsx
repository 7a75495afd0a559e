"use client";

import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { Form } from "../../../components/form/form";
import { QueryContent } from "../../../components/query-content";
import { Section } from "../../../components/ui/card";
import { cn } from "../../../components/ui/cn";
import { EmptyState } from "../../../components/ui/empty-state";
import { Skeleton } from "../../../components/ui/skeleton";
import { daysBefore } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { failureOf } from "../../../trpc/failure";
import { PageHeader } from "../../components/page-header";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { DownloadCsv } from "./download-csv";
import { ReportFilters } from "./report-filters";
import { ReportPlot } from "./report-plot";
import { ReportTable } from "./report-table";
import { choiceOf, groupOf, groupsAsked } from "./report-view";
import { TrafficLegend } from "./traffic-legend";
import { useNames } from "./use-names";

const REFRESH_MS = 30_000;

export function Reports() {
  const trpc = useTRPC();
  const { params, change } = useUrlParams();
  const { mode } = useMode();
  const choice = choiceOf(params);
  const asked = {
    mode,
    from: choice.from,
    to: daysBefore(choice.to, -1),
    timezone: choice.timezone,
    group_by: groupsAsked(choice.group),
  };
  const query = useQuery(
    trpc.reports.get.queryOptions(asked, {
      // A rejected request would be rejected again, and would move the focus each time.
      refetchInterval: ({ state }) => (state.error ? false : REFRESH_MS),
      placeholderData: (previous) => previous,
    }),
  );
  const nameOf = useNames(query.data);
  return (
    <>
      <PageHeader
        title="Reports"
        description="Impressions and clicks without invalid traffic. Events appear within seconds."
        actions={<DownloadCsv asked={asked} fileName={`svc-${choice.group}-${choice.from}-to-${choice.to}.csv`} />}
      />
      <div className="space-y-6">
        <Form error={refusedFieldOf(query.error)} onSubmit={() => undefined}>
          <ReportFilters choice={choice} onChange={change} />
        </Form>
        <QueryContent query={query} loading={<Skeleton className="h-96" />}>
          {(report) =>
            report.rows.length === 0 ? (
              <EmptyState icon={ChartColumn} title="No activity in this period">
                No requests, impressions or clicks in {mode} mode. Choose other days or the other mode.
              </EmptyState>
            ) : (
              <div className={cn("space-y-6", query.isPlaceholderData && "opacity-60 transition-opacity")}>
                <Section title={choice.figure.label}>
                  <ReportPlot report={report} choice={{ ...choice, group: groupOf(report) }} nameOf={nameOf} />
                </Section>
                <ReportTable report={report} group={groupOf(report)} figure={choice.figure} nameOf={nameOf} />
                {groupOf(report) === "traffic" && <TrafficLegend rows={report.rows} />}
              </div>
            )
          }
        </QueryContent>
      </div>
    </>
  );
}

/** An error that a filter field can show; any other error replaces the report. */
const refusedFieldOf = (error: unknown): unknown => (error && failureOf(error).fields.length > 0 ? error : null);
