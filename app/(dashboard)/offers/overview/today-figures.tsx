import { Card } from "../../../components/ui/card";
import { daysBefore } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { changeText, formatCount, formatShare } from "../../../format/numbers";
import { Sparkline } from "../../components/plots/sparkline";
import { mainFigureOf } from "./main-figure";
import type { Report } from "./report";
import { SUMMED, type Sums, sumsBy, type TimeOfDay } from "./trend";

interface TodayFiguresProps {
  /** By day, the last of them today. */
  days: Report;
  /** By hour, from a week ago until now. */
  hours: Report | undefined;
  /** Calendar days, oldest first, today last. */
  shown: string[];
  time: TimeOfDay;
}

type Of = (sums: Sums) => number | null;

interface Figure {
  key: string;
  label: string;
  of: Of;
  text: (value: number | null) => string;
}

const WEEK_DAYS = 7;

/** Today's figures with the days before, beside yesterday and last week by the same time of day; one of them is the largest. */
export function TodayFigures({ days, hours, shown, time }: TodayFiguresProps) {
  const today = shown.at(-1) ?? "";
  const byDay = shown.map((day) => sumsOf(days, day));
  const yesterday = hours && sumsBy(hours.rows, daysBefore(today, 1), time);
  const lastWeek = hours && sumsBy(hours.rows, daysBefore(today, WEEK_DAYS), time);
  const figures = figuresIn(days.currency);
  const main = figures.find(({ key }) => key === mainFigureOf(days.totals)) ?? figures[0];
  // Who has nothing yet has nothing to compare.
  const compared = days.rows.length > 0 && { yesterday, lastWeek };
  return (
    <section aria-label="Today's figures">
      <Card className="grid gap-x-10 gap-y-6 p-4 sm:p-6 lg:grid-cols-[minmax(0,17rem)_minmax(0,1fr)]">
        {main && <MainFigure figure={main} byDay={byDay} compared={compared} />}
        <dl className="grid grid-cols-2 gap-x-8 gap-y-5 sm:grid-cols-4 lg:border-l lg:pl-10">
          {figures
            .filter((figure) => figure !== main)
            .map((figure) => (
              <SmallFigure key={figure.key} figure={figure} byDay={byDay} compared={compared} />
            ))}
        </dl>
      </Card>
    </section>
  );
}

interface FigureProps {
  figure: Figure;
  /** Oldest first, today last. */
  byDay: readonly Sums[];
  compared: false | { yesterday: Sums | undefined; lastWeek: Sums | undefined };
}

function MainFigure({ figure: { label, of, text }, byDay, compared }: FigureProps) {
  const now = of(byDay.at(-1) ?? NOTHING);
  return (
    <dl className="flex flex-col">
      <dt className="text-muted-foreground text-sm">{label} today</dt>
      <dd className="mt-0.5 break-words font-semibold text-4xl tabular-nums tracking-tight">{text(now)}</dd>
      {compared && (
        <>
          <dd className="mt-1.5 flex min-h-4 flex-wrap gap-x-4 text-xs">
            <Change now={now} before={compared.yesterday && of(compared.yesterday)} than="yesterday" />
            <Change now={now} before={compared.lastWeek && of(compared.lastWeek)} than="last week" />
          </dd>
          <dd aria-hidden className="mt-4 flex-1">
            <Sparkline values={byDay.map((sums) => of(sums) ?? 0)} className="h-14 lg:h-full lg:min-h-14" />
          </dd>
        </>
      )}
    </dl>
  );
}

function SmallFigure({ figure: { label, of, text }, byDay, compared }: FigureProps) {
  const now = of(byDay.at(-1) ?? NOTHING);
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-muted-foreground text-sm">{label}</dt>
      <dd className="mt-0.5 break-words font-medium text-lg tabular-nums">{text(now)}</dd>
      {compared && (
        <>
          <dd className="flex min-h-4 text-xs">
            <Change now={now} before={compared.yesterday && of(compared.yesterday)} than="yesterday" />
          </dd>
          <dd aria-hidden className="mt-1.5">
            <Sparkline values={byDay.map((sums) => of(sums) ?? 0)} className="h-6" />
          </dd>
        </>
      )}
    </div>
  );
}

interface ChangeProps {
  now: number | null;
  before: number | null | undefined;
  than: string;
}

/** "+12% vs yesterday", by the same time of day; nothing while it is not known. */
function Change({ now, before, than }: ChangeProps) {
  if (before === undefined || (!now && !before)) return null;
  const text = changeText(now ?? 0, before ?? 0);
  if (text === undefined) return <span className="whitespace-nowrap text-muted-foreground">none {than}</span>;
  return (
    <span className="whitespace-nowrap text-muted-foreground">
      <span className="font-medium text-foreground tabular-nums">{text}</span> {text.endsWith("×") ? "" : "vs "}
      {than}
    </span>
  );
}

const NOTHING = Object.fromEntries(SUMMED.map((key) => [key, 0])) as Sums;
const sumsOf = ({ rows }: Report, day: string): Sums => rows.find((row) => row.day === day) ?? NOTHING;

function figuresIn(currency: string): Figure[] {
  const count = (value: number | null) => formatCount(value ?? 0);
  const money = (value: number | null) => formatMoney(value ?? 0, currency);
  return [
    { key: "requests", label: "Requests", of: ({ requests }) => requests, text: count },
    { key: "served", label: "Offers served", of: ({ served }) => served, text: count },
    { key: "impressions", label: "Impressions", of: ({ impressions }) => impressions, text: count },
    { key: "clicks", label: "Clicks", of: ({ clicks }) => clicks, text: count },
    {
      key: "ctr",
      label: "Click rate",
      of: ({ clicks, impressions }) => (impressions > 0 ? clicks / impressions : null),
      text: formatShare,
    },
    { key: "conversions", label: "Conversions", of: ({ conversions }) => conversions, text: count },
    { key: "earnings_micros", label: "Earnings", of: ({ earnings_micros }) => earnings_micros, text: money },
    { key: "spend_micros", label: "Spend", of: ({ spend_micros }) => spend_micros, text: money },
  ];
}
