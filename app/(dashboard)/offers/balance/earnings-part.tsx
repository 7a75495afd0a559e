import { useQuery } from "@tanstack/react-query";
import { QuerySection } from "../../../components/query-content";
import { daysBefore, formatDay, formatMonth } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { type Outputs, useTRPC } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { Figures } from "../../components/figures";
import { TrendPlot } from "../../components/plots/trend-plot";
import { UnpaidOffers } from "../components/unpaid-offers";
import { dailyPoints, monthBefore } from "./daily-points";
import { type MonthColumn, MonthTable } from "./month-table";
import { type EarningsStatement, microsOf, type StatementMonth } from "./statement";

const REFRESH_MS = 60_000;
const SERIES = [{ key: "earned", label: "Earned" }];
const COLUMNS: MonthColumn[] = [
  { label: "Earned", title: "Before clawbacks", of: ({ earnings }) => earnings.earned_micros },
  { label: "Clawed back", title: "Reversed by the operator", of: ({ earnings }) => earnings.clawed_back_micros },
  { label: "Pending", title: "Can still be clawed back", of: ({ earnings }) => earnings.pending_micros },
  { label: "Available", title: "No longer pending", of: ({ earnings }) => earnings.available_micros },
];

interface PartProps {
  months: readonly StatementMonth[];
  /** Today in UTC. */
  today: string;
}

/** What the tenant's channels earned: all of it, by day and by month. */
export function EarningsPart({ months, today }: PartProps) {
  const query = useQueryOf("getEarnings", { mode: "live" }, { refetchInterval: REFRESH_MS });
  const earning = months.filter(({ earnings }) => earnings.earned_micros > 0);
  return (
    <QuerySection
      title="Earnings"
      description="What your channels earned from campaigns of other tenants. House offers and your own campaigns earn nothing."
      query={query}
    >
      {(earnings) => (
        <div className="space-y-6">
          <EarningsFigures earnings={earnings} />
          <UnpaidOffers
            period={formatMonth(today.slice(0, 7))}
            mode="live"
            timezone="UTC"
            from={`${today.slice(0, 7)}-01`}
          />
          {earning.length > 0 ? (
            <>
              <DailyEarnings today={today} currency={earnings.currency} />
              <MonthTable kind="earnings" caption="Earnings by month" months={earning} columns={COLUMNS} />
            </>
          ) : (
            <p className="text-muted-foreground text-sm">
              No earnings yet. Each counted event of a campaign of another tenant adds to them within seconds.
            </p>
          )}
        </div>
      )}
    </QuerySection>
  );
}

function EarningsFigures({ earnings }: { earnings: Outputs["getEarnings"] }) {
  const { currency, pending_micros, available_micros, clawed_back_micros, next_available, pending_days } = earnings;
  const money = (micros: number) => formatMoney(micros, currency);
  const [next] = next_available;
  return (
    <>
      {earnings.simulated && (
        <p className="text-muted-foreground text-sm">
          The demo account&rsquo;s earnings are simulated: nothing is paid out.
        </p>
      )}
      <Figures
        main={{ label: "Earnings balance", value: money(pending_micros + available_micros) }}
        parts={[
          { label: "Available", value: money(available_micros), note: "No longer pending" },
          {
            label: "Pending",
            value: money(pending_micros),
            note: next
              ? `${money(next.amount_micros)} available on ${formatDay(next.date)}`
              : `Available ${pending_days} days after the day of the event`,
          },
          { label: "Clawed back", value: money(clawed_back_micros), note: "Reversed by the operator" },
        ]}
      />
    </>
  );
}

/** From the ledger, for the last two months. */
function DailyEarnings({ today, currency }: { today: string; currency: string }) {
  const trpc = useTRPC();
  const month = today.slice(0, 7);
  const asked = (each: string) =>
    trpc.getEarningsStatement.queryOptions({ mode: "live", month: each }, { refetchInterval: REFRESH_MS });
  const now = useQuery(asked(month));
  const before = useQuery(asked(monthBefore(month)));
  if (!now.data || !before.data) return null;
  const points = dailyPoints(valuesOf([...before.data.days, ...now.data.days]), ["earned"], today);
  if (points.length < 2) return null;
  return (
    <div className="space-y-2">
      <h3 className="font-medium text-sm">Earned by day, after clawbacks</h3>
      <TrendPlot
        label={`Earnings by day since ${formatDay(points[0]?.x ?? daysBefore(today, 1))}, after clawbacks. The table below has them by month.`}
        points={points}
        series={SERIES}
        unit={{ kind: "money", currency }}
        formatX={formatDay}
        openX={today}
      />
    </div>
  );
}

const valuesOf = (days: EarningsStatement["days"]): Map<string, { earned: number }> =>
  new Map(days.map(({ date, earned, clawed_back }) => [date, { earned: microsOf(earned) - microsOf(clawed_back) }]));
