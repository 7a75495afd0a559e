import { Card } from "../../../components/ui/card";
import { daysBefore } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { changeText, formatCount, formatShare } from "../../../format/numbers";
import { Sparkline } from "../../components/plots/sparkline";
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
  label: string;
  of: Of;
  text: (value: number | null) => string;
}

const WEEK_DAYS = 7;

/** Today's figures with the days before, beside yesterday and last week by the same time of day. */
export function TodayFigures({ days, hours, shown, time }: TodayFiguresProps) {
  const today = shown.at(-1) ?? "";
  const byDay = shown.map((day) => sumsOf(days, day));
  const now = byDay.at(-1) ?? NOTHING;
  const yesterday = hours && sumsBy(hours.rows, daysBefore(today, 1), time);
  const lastWeek = hours && sumsBy(hours.rows, daysBefore(today, WEEK_DAYS), time);
  return (
    <section aria-label="Today's figures">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {figuresIn(days.currency).map(({ label, of, text }) => (
          <Card key={label} className="flex flex-col p-4">
            <dt className="text-muted-foreground text-sm">{label}</dt>
            <dd className="mt-1 break-words font-semibold text-2xl tabular-nums tracking-tight">{text(of(now))}</dd>
            {/* Who has nothing yet has nothing to compare. */}
            {days.rows.length > 0 && (
              <>
                <dd aria-hidden className="my-2">
                  <Sparkline values={byDay.map((sums) => of(sums) ?? 0)} />
                </dd>
                <dd className="mt-auto flex min-h-8 flex-col text-xs">
                  <Change now={of(now)} before={yesterday && of(yesterday)} than="yesterday" />
                  <Change now={of(now)} before={lastWeek && of(lastWeek)} than="last week" />
                </dd>
              </>
            )}
          </Card>
        ))}
      </dl>
    </section>
  );
}

interface ChangeProps {
  now: number | null;
  before: number | null | undefined;
  than: string;
}

/** "+12% on yesterday", by the same time of day; nothing while it is not known. */
function Change({ now, before, than }: ChangeProps) {
  if (before === undefined || (!now && !before)) return null;
  const text = changeText(now ?? 0, before ?? 0);
  if (text === undefined) return <span className="whitespace-nowrap text-muted-foreground">none {than}</span>;
  return (
    <span className="whitespace-nowrap text-muted-foreground">
      <span className="font-medium text-foreground tabular-nums">{text}</span> {text.endsWith("×") ? "" : "on "}
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
    { label: "Requests", of: ({ requests }) => requests, text: count },
    { label: "Offers served", of: ({ served }) => served, text: count },
    { label: "Impressions", of: ({ impressions }) => impressions, text: count },
    { label: "Clicks", of: ({ clicks }) => clicks, text: count },
    {
      label: "Click rate",
      of: ({ clicks, impressions }) => (impressions > 0 ? clicks / impressions : null),
      text: formatShare,
    },
    { label: "Conversions", of: ({ conversions }) => conversions, text: count },
    { label: "Earnings", of: ({ earnings_micros }) => earnings_micros, text: money },
    { label: "Spend", of: ({ spend_micros }) => spend_micros, text: money },
  ];
}
