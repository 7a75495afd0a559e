import { Gauge } from "lucide-react";
import { SelectField } from "../../../components/form/fields";
import { QueryContent } from "../../../components/query-content";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { formatAge } from "../../../format/durations";
import { formatMoney } from "../../../format/money";
import type { Outputs } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { Figures } from "../../components/figures";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { priceText } from "./instance";
import { useServiceLabel } from "./use-services";

type Usage = Outputs["getResourceUsage"];

const DAYS = [7, 30, 90] as const;
const DAYS_DEFAULT = 30;
const MICROS_PER_UNIT = 1_000_000;

/** What resources used in the last days, those that cost most first. */
export function ResourceUsage() {
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const days = DAYS.find((one) => String(one) === params.get("days")) ?? DAYS_DEFAULT;
  const query = useQueryOf("getResourceUsage", { mode, since_days: days });
  return (
    <div className="space-y-6">
      <SelectField
        name="days"
        label="Period"
        className="max-w-56"
        value={days}
        onChange={({ target }) => change({ days: target.value === String(DAYS_DEFAULT) ? "" : target.value })}
        choices={DAYS.map((one) => ({ value: one, label: `Last ${one} days` }))}
      />
      <QueryContent query={query}>
        {(usage) => (usage.data.length === 0 ? <Empty /> : <UsageBars usage={usage} />)}
      </QueryContent>
    </div>
  );
}

function UsageBars({ usage }: { usage: Usage }) {
  const { total, currency, simulated, has_more, data } = usage;
  const most = Math.max(...data.map(({ amount }) => Number(amount)));
  return (
    <div className="space-y-5">
      <Figures
        main={{
          label: "Cost of resources",
          value: moneyOf(total, currency),
          note: simulated
            ? "Simulated: nothing is charged in test mode."
            : "Those that are pods count as pods on invoices.",
        }}
        parts={[]}
      />
      <ol className="max-w-3xl space-y-4">
        {data.map((row) => (
          <UsageBar key={`${row.rid} ${row.price_per_hour}`} row={row} currency={currency} most={most} />
        ))}
      </ol>
      {has_more && (
        <p className="text-muted-foreground text-sm">There are more resources; the total is of those above.</p>
      )}
    </div>
  );
}

interface UsageBarProps {
  row: Usage["data"][number];
  currency: string;
  /** The largest amount, which has the longest bar. */
  most: number;
}

function UsageBar({ row, currency, most }: UsageBarProps) {
  const labelOf = useServiceLabel();
  const { rid, name, quantity, price_per_hour, amount, final, deleted } = row;
  return (
    <li className="space-y-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        {deleted ? (
          <span className="break-words">{name} (deleted)</span>
        ) : (
          <Link href={`/cloud/resources/${rid}`} className={`${ROW_LINK_STYLE} break-words`}>
            {name}
          </Link>
        )}
        <span className="font-medium tabular-nums">{moneyOf(amount, currency)}</span>
      </div>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-muted">
        <div
          className="h-full min-w-1 rounded-full bg-chart-1"
          style={{ width: `${((100 * Number(amount)) / (most || 1)).toFixed(1)}%` }}
        />
      </div>
      <p className="text-muted-foreground text-xs">
        {labelOf(row)}, {formatAge(Number(quantity))} at {priceText({ price_per_hour, currency })}
        {final ? "" : ", and it still runs"}
      </p>
    </li>
  );
}

const moneyOf = (amount: string, currency: string): string =>
  formatMoney(Math.round(Number(amount) * MICROS_PER_UNIT), currency);

function Empty() {
  const { mode } = useMode();
  return (
    <EmptyState icon={Gauge} title={`Nothing was used in ${mode} mode`}>
      Instances and replicas are metered while they run, and volumes and public addresses while they exist.
    </EmptyState>
  );
}
