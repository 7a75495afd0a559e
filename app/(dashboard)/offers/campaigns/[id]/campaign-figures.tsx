"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { QueryContent } from "../../../../components/query-content";
import { Section } from "../../../../components/ui/card";
import { cn } from "../../../../components/ui/cn";
import { Skeleton } from "../../../../components/ui/skeleton";
import { browserTimezone, dayOf, daysBefore, formatDay } from "../../../../format/dates";
import { useTRPC } from "../../../../trpc/client";
import { TrendPlot } from "../../../components/plots/trend-plot";
import { useUrlParams } from "../../../components/use-url-params";
import { FIGURES, type Figure, formatFigure } from "../../reports/report-figures";
import type { Report } from "../../reports/report-view";
import type { Campaign } from "../campaign";
import { figurePoints } from "./figure-points";

const DAYS = 30;
const REFRESH_MS = 30_000;
const SHOWN = ["impressions", "clicks", "ctr", "conversions", "spend_micros"].flatMap(
  (key) => FIGURES.find((figure) => figure.key === key) ?? [],
);

/** The campaign's totals of the last 30 days, and a plot of the chosen one by day. */
export function CampaignFigures({ campaign: { id, mode } }: { campaign: Campaign }) {
  const trpc = useTRPC();
  const { params, change } = useUrlParams();
  const timezone = browserTimezone();
  const today = dayOf(new Date(), timezone);
  const from = daysBefore(today, DAYS - 1);
  const query = useQuery(
    trpc.reports.get.queryOptions(
      { mode, timezone, from, group_by: "day", campaign: id },
      { refetchInterval: REFRESH_MS, placeholderData: (previous) => previous },
    ),
  );
  const chosen = SHOWN.find(({ key }) => key === params.get("figure")) ?? SHOWN[0];
  const report = (
    <Link
      href={`/offers/reports?campaign=${id}&from=${from}&mode=${mode}`}
      className="text-primary text-sm underline underline-offset-4"
    >
      Open the report
    </Link>
  );
  return (
    <Section title={`The last ${DAYS} days`} actions={report}>
      <QueryContent query={query} loading={<Skeleton className="h-96" />}>
        {(found) => (
          <div className="space-y-5">
            <Totals
              report={found}
              chosen={chosen}
              onChoose={({ key }) => change({ figure: key === SHOWN[0]?.key ? "" : key })}
            />
            {chosen && <FigurePlot report={found} figure={chosen} today={today} />}
          </div>
        )}
      </QueryContent>
    </Section>
  );
}

interface TotalsProps {
  report: Report;
  chosen: Figure | undefined;
  onChoose: (figure: Figure) => void;
}

/** Each total is a button that plots it. */
const Totals = ({ report: { totals, currency }, chosen, onChoose }: TotalsProps) => (
  <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-5">
    <legend className="sr-only">Plotted figure</legend>
    {SHOWN.map((figure) => (
      <button
        key={figure.key}
        type="button"
        aria-pressed={figure === chosen}
        onClick={() => onChoose(figure)}
        className={cn(
          "min-w-0 rounded-lg border px-3 py-2.5 text-left transition-colors max-sm:last:col-span-2",
          figure === chosen ? "border-primary bg-accent/50" : "hover:bg-muted/60",
        )}
      >
        <span className="block text-muted-foreground text-sm">{figure.label}</span>
        <span className="block break-words font-semibold text-xl tabular-nums tracking-tight">
          {formatFigure(figure.of(totals), figure.kind, currency)}
        </span>
      </button>
    ))}
  </fieldset>
);

const FigurePlot = ({ report, figure, today }: { report: Report; figure: Figure; today: string }) => (
  <TrendPlot
    label={`${figure.label} by day, the last ${DAYS} days. The report has the same figures.`}
    points={figurePoints(report, figure, { today, days: DAYS })}
    series={[{ key: "value", label: figure.label }]}
    unit={figure.kind === "money" ? { kind: "money", currency: report.currency } : { kind: figure.kind }}
    formatX={formatDay}
    openX={today}
  />
);
