import { cn } from "../../../../components/ui/cn";
import { formatMoney } from "../../../../format/money";
import { formatShare } from "../../../../format/numbers";
import type { Campaign } from "../campaign";
import type { Spend } from "./budget-points";

/** The spent share of each budget. */
export const BudgetMeters = ({ campaign, spend }: { campaign: Campaign; spend: Spend }) => (
  <dl className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
    <Meter
      label="Today"
      spent={spend.today_micros}
      budget={campaign.daily_budget_micros}
      currency={campaign.currency}
    />
    <Meter
      label="Total"
      spent={spend.total_micros}
      budget={campaign.total_budget_micros}
      currency={campaign.currency}
    />
  </dl>
);

interface MeterProps {
  label: string;
  spent: number;
  budget: number | null;
  currency: string;
}

function Meter({ label, spent, budget, currency }: MeterProps) {
  const share = budget ? Math.min(1, spent / budget) : 0;
  return (
    <div>
      <dt className="text-muted-foreground text-sm">{label}</dt>
      <dd className="mt-1 tabular-nums">
        <span className="font-medium text-lg">{formatMoney(spent, currency)}</span>{" "}
        <span className="text-muted-foreground text-sm">
          {budget === null ? "spent, no limit" : `of ${formatMoney(budget, currency)}, ${formatShare(share)}`}
        </span>
      </dd>
      {budget !== null && (
        <dd aria-hidden className="mt-2 h-2 rounded-full bg-muted">
          <span
            className={cn(
              "block h-full rounded-full",
              share >= 1 ? "bg-chart-4" : "bg-chart-1",
              share > 0 && "min-w-1",
            )}
            style={{ width: `${(100 * share).toFixed(1)}%` }}
          />
        </dd>
      )}
    </div>
  );
}
