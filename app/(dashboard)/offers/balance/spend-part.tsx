import { useQuery } from "@tanstack/react-query";
import { QuerySection } from "../../../components/query-content";
import { daysBefore, formatDay } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { useTRPC } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { Figures } from "../../components/figures";
import { TrendPlot } from "../../components/plots/trend-plot";
import { dailyPoints, monthBefore } from "./daily-points";
import { type MonthColumn, MonthTable } from "./month-table";
import { microsOf, type SpendStatement, type StatementMonth } from "./statement";

const REFRESH_MS = 60_000;
const NETWORK = { key: "spent", label: "Spent from the prepaid balance" };
const OWN = { key: "own", label: "Charged to budgets on your own channels, not paid" };
const COLUMNS: MonthColumn[] = [
  { label: "Spent", title: "On channels of other tenants, after reversals", of: ({ spend }) => spend.spent_micros },
  { label: "Reversed", title: "Given back to the balance", of: ({ spend }) => spend.reversed_micros },
  { label: "Credited", title: "Added by the operator", of: ({ spend }) => spend.credited_micros },
  {
    label: "Closing balance",
    title: "The prepaid balance at the end of the month, or now",
    of: ({ spend }) => spend.closing_balance_micros,
  },
];
const OWN_COLUMN: MonthColumn = {
  label: "Own channels",
  title: "Charged to budgets on your own channels; not paid",
  of: ({ spend }) => spend.own_channels_micros,
};

interface PartProps {
  months: readonly StatementMonth[];
  /** Today in UTC. */
  today: string;
  /** Earnings are above it. */
  isSecondary: boolean;
}

/** The prepaid balance, and what was spent of it by day and by month. */
export function SpendPart({ months, today, isSecondary }: PartProps) {
  const query = useQueryOf("getBalance", {}, { refetchInterval: REFRESH_MS });
  const spending = months.filter(isSpending);
  const hasOwn = spending.some(({ spend }) => spend.own_channels_micros > 0);
  const thisMonth = months.find(({ month }) => today.startsWith(month));
  return (
    <QuerySection
      title="Spend"
      description="Live campaigns with the reach “network” spend the prepaid balance on channels of other tenants. The operator adds credit."
      query={query}
    >
      {({ currency, available_micros, credited_micros, spent_micros }) => (
        <div className="space-y-6">
          <Figures
            isSecondary={isSecondary}
            main={{ label: "Prepaid balance", value: formatMoney(available_micros, currency) }}
            parts={[
              { label: "Spent this month", value: formatMoney(thisMonth?.spend.spent_micros ?? 0, currency) },
              { label: "Spent in total", value: formatMoney(spent_micros, currency) },
              { label: "Credited in total", value: formatMoney(credited_micros, currency) },
            ]}
          />
          {spending.length > 0 ? (
            <>
              <DailySpend today={today} currency={currency} />
              <MonthTable
                kind="spend"
                caption="Spend by month"
                months={spending}
                columns={hasOwn ? [...COLUMNS, OWN_COLUMN] : COLUMNS}
              />
            </>
          ) : (
            <p className="text-muted-foreground text-sm">
              No credit and no spend yet. Ask the operator for credit before a campaign serves on channels of others.
            </p>
          )}
        </div>
      )}
    </QuerySection>
  );
}

export const isSpending = ({ spend }: StatementMonth): boolean =>
  spend.charged_micros > 0 || spend.own_channels_micros > 0 || spend.credited_micros !== 0;

/** From the ledger, for the last two months. */
function DailySpend({ today, currency }: { today: string; currency: string }) {
  const trpc = useTRPC();
  const month = today.slice(0, 7);
  const asked = (each: string) =>
    trpc.getSpendStatement.queryOptions({ mode: "live", month: each }, { refetchInterval: REFRESH_MS });
  const now = useQuery(asked(month));
  const before = useQuery(asked(monthBefore(month)));
  if (!now.data || !before.data) return null;
  const points = dailyPoints(valuesOf([...before.data.days, ...now.data.days]), ["spent", "own"], today);
  if (points.length < 2) return null;
  const series = [NETWORK, OWN].filter(({ key }) => points.some((point) => Number(point[key]) > 0));
  return (
    <div className="space-y-2">
      <h3 className="font-medium text-sm">{series.length === 1 ? `${series[0]?.label}, by day` : "Spend by day"}</h3>
      <TrendPlot
        label={`Spend by day since ${formatDay(points[0]?.x ?? daysBefore(today, 1))}, after reversals. The table below has it by month.`}
        points={points}
        series={series}
        unit={{ kind: "money", currency }}
        formatX={formatDay}
        openX={today}
      />
    </div>
  );
}

const valuesOf = (days: SpendStatement["days"]): Map<string, { spent: number; own: number }> =>
  new Map(
    days.map(({ date, charged, reversed, own_channels }) => [
      date,
      { spent: microsOf(charged) - microsOf(reversed), own: microsOf(own_channels) },
    ]),
  );
