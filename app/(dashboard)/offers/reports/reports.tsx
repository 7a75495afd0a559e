"use client";

import { ChartColumn } from "lucide-react";
import { Form } from "../../../components/form/form";
import { QueryContent } from "../../../components/query-content";
import { Section } from "../../../components/ui/card";
import { cn } from "../../../components/ui/cn";
import { EmptyState } from "../../../components/ui/empty-state";
import { Skeleton } from "../../../components/ui/skeleton";
import { daysBefore } from "../../../format/dates";
import { failureOf } from "../../../trpc/failure";
import { PageHeader } from "../../components/page-header";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { UnpaidOffers } from "../components/unpaid-offers";
import { ColumnPicker } from "./column-picker";
import { DownloadCsv } from "./download-csv";
import { reportCsv } from "./report-csv";
import { ReportFilters } from "./report-filters";
import { ReportPlot } from "./report-plot";
import { rowsBefore, sortRows } from "./report-rows";
import { ReportTable } from "./report-table";
import { ReportTotals } from "./report-totals";
import { choiceOf, groupsOf, periodBefore, type Report, type ReportChoice } from "./report-view";
import { TrafficLegend } from "./traffic-legend";
import { type Names, useNames } from "./use-names";
import { useReport } from "./use-report";

/** The report of a choice, as it is shown, and as a file. */
function useShownReport(choice: ReportChoice) {
  const { query, before } = useReport(choice);
  const report = query.data;
  // While another report is on its way, the one before is shown as it was chosen.
  const shown = report && { ...choice, groups: groupsOf(report, choice.groups) };
  const names = useNames(report);
  const rows = report && shown && sortRows(report.rows, shown, names.nameOf);
  const textOf = () => {
    if (!report || !shown || !rows) return "";
    const { groups, columns } = shown;
    return reportCsv({ rows, groups, columns, currency: report.currency, nameOf: names.nameOf });
  };
  return { query, before, shown, names, rows, textOf: report && !query.isPlaceholderData ? textOf : undefined };
}

export function Reports() {
  const { params, change } = useUrlParams();
  const { mode } = useMode();
  const choice = choiceOf(params);
  const { query, before, shown, names, rows, textOf } = useShownReport(choice);
  return (
    <>
      <PageHeader
        title="Reports"
        description="Impressions and clicks without invalid traffic. Events appear within seconds."
        actions={
          <>
            <ColumnPicker columns={choice.columns} onChoose={(columns) => change({ columns })} />
            <DownloadCsv
              textOf={textOf}
              fileName={`svc-${choice.groups.join("-")}-${choice.from}-to-${choice.to}.csv`}
            />
          </>
        }
      />
      <div className="space-y-6">
        <Form error={refusedFieldOf(query.error)} onSubmit={() => undefined}>
          <ReportFilters choice={choice} channels={names.channels} campaigns={names.campaigns} onChange={change} />
        </Form>
        <QueryContent query={query} loading={<Skeleton className="h-96" />}>
          {(found) =>
            found.rows.length === 0 ? (
              <NoActivity choice={choice} />
            ) : (
              <div className={cn("space-y-6", query.isPlaceholderData && "opacity-60 transition-opacity")}>
                <Found
                  report={{ ...found, rows: rows ?? found.rows }}
                  choice={shown ?? choice}
                  before={before}
                  nameOf={names.nameOf}
                  onSort={(sort) => change({ sort })}
                />
                <UnpaidOffers
                  period="this period"
                  mode={mode}
                  timezone={choice.timezone}
                  from={choice.from}
                  to={daysBefore(choice.to, -1)}
                  {...(choice.channel && { channelId: choice.channel })}
                />
              </div>
            )
          }
        </QueryContent>
      </div>
    </>
  );
}

function NoActivity({ choice: { channel, campaign } }: { choice: ReportChoice }) {
  const { mode } = useMode();
  return (
    <EmptyState icon={ChartColumn} title="No activity in this period">
      No requests, impressions or clicks in {mode} mode
      {channel || campaign ? " on the chosen channel and campaign" : ""}. Choose other days or the other mode.
    </EmptyState>
  );
}

interface FoundProps {
  /** With its rows in the order of the table. */
  report: Report;
  choice: ReportChoice;
  before: Report | undefined;
  nameOf: Names["nameOf"];
  onSort: (sort: string) => void;
}

function Found({ report, choice, before, nameOf, onSort }: FoundProps) {
  const { groups, figure } = choice;
  const compared = before && {
    totals: before.totals,
    of: rowsBefore(before, groups, periodBefore(choice).days),
  };
  return (
    <>
      <Section title={figure.label} description={figure.meaning}>
        <div className="space-y-5">
          <ReportTotals report={report} choice={choice} before={before} />
          <ReportPlot report={report} choice={choice} nameOf={nameOf} before={before} />
        </div>
      </Section>
      <ReportTable
        rows={report.rows}
        totals={report.totals}
        currency={report.currency}
        choice={choice}
        nameOf={nameOf}
        before={compared}
        onSort={onSort}
      />
      {groups.includes("traffic") && <TrafficLegend rows={report.rows} />}
    </>
  );
}

/** An error that a filter field can show; any other error replaces the report. */
const refusedFieldOf = (error: unknown): unknown => (error && failureOf(error).fields.length > 0 ? error : null);
