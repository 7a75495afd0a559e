import { QuerySection } from "../../../../components/query-content";
import { cn } from "../../../../components/ui/cn";
import { Link } from "../../../../components/ui/link";
import { Skeleton } from "../../../../components/ui/skeleton";
import { browserTimezone, dayOf, daysBefore, formatDay } from "../../../../format/dates";
import { useQueryOf } from "../../../../trpc/use-operation";
import { TrendPlot } from "../../../components/plots/trend-plot";
import { useUrlParams } from "../../../components/use-url-params";
import { FIGURES, type Figure, formatFigure } from "../../reports/report-figures";
import type { Report } from "../../reports/report-view";
import type { Campaign } from "../campaign";
import { figurePoints } from "./figure-points";

const DAYS = 30;
const REFRESH_MS = 30_000;
/** The largest one first: nothing is spent in test mode. */
const KEYS = {
  live: ["spend_micros", "impressions", "clicks", "ctr", "conversions"],
  test: ["impressions", "clicks", "ctr", "conversions", "spend_micros"],
};

/** The campaign's totals of the last 30 days, and a plot of the chosen one by day. */
export function CampaignFigures({ campaign: { id, mode } }: { campaign: Campaign }) {
  const { params, change } = useUrlParams();
  const timezone = browserTimezone();
  const today = dayOf(new Date(), timezone);
  const from = daysBefore(today, DAYS - 1);
  const query = useQueryOf(
    "getReport",
    { mode, timezone, from, group_by: "day", campaign: id },
    { refetchInterval: REFRESH_MS, placeholderData: (previous) => previous },
  );
  const shown = KEYS[mode].flatMap((key) => FIGURES.find((figure) => figure.key === key) ?? []);
  const chosen = shown.find(({ key }) => key === params.get("figure")) ?? shown[0];
  const report = (
    <Link
      href={`/offers/reports?campaign=${id}&from=${from}&mode=${mode}`}
      className="text-primary text-sm underline underline-offset-4"
    >
      Open the report
    </Link>
  );
  return (
    <QuerySection
      title={`The last ${DAYS} days`}
      actions={report}
      query={query}
      loading={<Skeleton className="h-96" />}
    >
      {(found) => (
        <div className="space-y-5">
          <Totals
            report={found}
            shown={shown}
            chosen={chosen}
            onChoose={({ key }) => change({ figure: key === shown[0]?.key ? "" : key })}
          />
          {chosen && <FigurePlot report={found} figure={chosen} today={today} />}
        </div>
      )}
    </QuerySection>
  );
}

interface TotalsProps {
  report: Report;
  /** The first one is the largest. */
  shown: readonly Figure[];
  chosen: Figure | undefined;
  onChoose: (figure: Figure) => void;
}

/** Each total is a button that plots it. */
const Totals = ({ report: { totals, currency }, shown, chosen, onChoose }: TotalsProps) => (
  <fieldset className="-mx-3 grid grid-cols-2 items-end gap-x-2 gap-y-1 sm:flex sm:flex-wrap">
    <legend className="sr-only">Plotted figure</legend>
    {shown.map((figure, i) => (
      <button
        key={figure.key}
        type="button"
        aria-pressed={figure === chosen}
        onClick={() => onChoose(figure)}
        className={cn(
          "min-w-0 rounded-t-md border-b-2 px-3 pt-1.5 pb-2 text-left transition-colors sm:min-w-28",
          figure === chosen ? "border-primary" : "border-transparent hover:bg-muted/60",
          i === 0 && "max-sm:col-span-2 sm:mr-4",
        )}
      >
        <span className="block text-muted-foreground text-sm">{figure.label}</span>
        <span
          className={cn(
            "block break-words tabular-nums",
            i === 0 ? "mt-0.5 font-semibold text-4xl tracking-tight" : "mt-1 font-medium text-lg",
          )}
        >
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
