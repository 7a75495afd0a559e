import { Card } from "../../components/ui/card";
import { daysBefore } from "../../format/dates";
import { formatMoney } from "../../format/money";
import { formatCount, formatShare } from "../../format/numbers";
import type { Report } from "./report";

interface TodayFiguresProps {
  /** By day, with today and yesterday in it. */
  report: Report;
  today: string;
}

/** Today beside yesterday; money that is zero on both days of one side is left out. */
export function TodayFigures({ report: { rows, currency }, today }: TodayFiguresProps) {
  const now = rows.find(({ day }) => day === today) ?? NOTHING;
  const before = rows.find(({ day }) => day === daysBefore(today, 1)) ?? NOTHING;
  const money = (micros: number) => formatMoney(micros, currency);
  const figures = [
    { label: "Requests", value: formatCount(now.requests), before: formatCount(before.requests) },
    { label: "Offers served", value: formatCount(now.served), before: formatCount(before.served) },
    { label: "Impressions", value: formatCount(now.impressions), before: formatCount(before.impressions) },
    { label: "Clicks", value: formatCount(now.clicks), before: formatCount(before.clicks) },
    { label: "Click rate", value: formatShare(now.ctr), before: formatShare(before.ctr) },
    { label: "Conversions", value: formatCount(now.conversions), before: formatCount(before.conversions) },
    { label: "Earnings", value: money(now.earnings_micros), before: money(before.earnings_micros) },
    { label: "Spend", value: money(now.spend_micros), before: money(before.spend_micros) },
  ];
  return (
    <section aria-label="Today's figures">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {figures.map(({ label, value, before }) => (
          <Card key={label} className="p-4">
            <dt className="text-muted-foreground text-sm">{label}</dt>
            <dd className="mt-1 break-words font-semibold text-2xl tabular-nums tracking-tight">{value}</dd>
            <dd className="mt-0.5 text-muted-foreground text-xs tabular-nums">yesterday {before}</dd>
          </Card>
        ))}
      </dl>
    </section>
  );
}

const NOTHING = {
  requests: 0,
  served: 0,
  impressions: 0,
  clicks: 0,
  ctr: null,
  conversions: 0,
  earnings_micros: 0,
  spend_micros: 0,
};
