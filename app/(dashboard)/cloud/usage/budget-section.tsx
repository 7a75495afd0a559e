import { MoneyField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { linesIn, microsIn } from "../../../components/form/read-fields";
import { QuerySection } from "../../../components/query-content";
import { Button } from "../../../components/ui/button";
import { Confirm } from "../../../components/ui/confirm";
import { Skeleton } from "../../../components/ui/skeleton";
import { formatDateTime } from "../../../format/dates";
import { amountOf, formatMoney } from "../../../format/money";
import { FieldError } from "../../../trpc/failure";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import { Meter } from "../../components/meter";
import { useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { microsOf } from "./usage-view";
import type { Budget } from "./wire";

/** The budget of a month: how much of it is used, and a form to set it. */
export function BudgetSection() {
  const { mode } = useMode();
  const query = useQueryOf("getBillingBudget", { mode });
  return (
    <QuerySection
      title="Budget"
      description="When the month reaches a percentage of the budget, owners get an email and webhooks the event budget.threshold_crossed. Nothing is stopped."
      query={query}
      loading={<Skeleton className="h-40" />}
    >
      {(budget) => (
        <div className="space-y-5">
          {budget.amount_micros !== null && <Spent budget={budget} limit={budget.amount_micros} />}
          <BudgetForm key={`${budget.mode} ${budget.amount_micros} ${budget.thresholds}`} budget={budget} />
        </div>
      )}
    </QuerySection>
  );
}

const Spent = ({ budget: { spent, currency, crossed }, limit }: { budget: Budget; limit: number }) => (
  <div className="max-w-xl space-y-1.5 text-sm">
    <p className="font-medium tabular-nums">
      {formatMoney(microsOf(spent), currency)} of {formatMoney(limit, currency)}
    </p>
    <Meter used={microsOf(spent)} limit={limit} />
    {crossed.map(({ percent, at }) => (
      <p key={percent} className="text-muted-foreground text-xs">
        {percent} % were reached on {formatDateTime(at)}
      </p>
    ))}
  </div>
);

function BudgetForm({ budget }: { budget: Budget }) {
  const { mode } = useMode();
  const canWrite = useHasScope("billing:write");
  const put = useMutationOf("putBillingBudget", { meta: { inline: true, done: "Budget saved." } });
  const remove = useMutationOf("deleteBillingBudget", { meta: { done: "Budget deleted." } });
  if (!canWrite)
    return budget.amount_micros === null ? (
      <p className="text-muted-foreground text-sm">There is no budget. Owners and admins can set one.</p>
    ) : null;
  const submit = (fields: FormData) =>
    put.mutate({ mode, amount_micros: microsIn(fields, "amount_micros"), thresholds: percentsIn(fields) });
  return (
    <Form error={put.error} onSubmit={submit} className="max-w-xl space-y-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField
          name="amount_micros"
          label={`Budget per month in ${mode} mode`}
          currency={budget.currency}
          defaultValue={budget.amount_micros === null ? "" : amountOf(budget.amount_micros)}
        />
        <TextField
          name="thresholds"
          label="Percentages"
          defaultValue={budget.thresholds.join(", ")}
          hint="Separated by commas."
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={put.isPending}>
          Save budget
        </Button>
        {budget.amount_micros !== null && (
          <Confirm
            title="Delete the budget?"
            consequence="No more percentages are reported; you can set a budget again at any time."
            action="Delete budget"
            onConfirm={() => remove.mutateAsync({ mode })}
            trigger={<Button variant="outline">Delete budget</Button>}
          />
        )}
      </div>
    </Form>
  );
}

function percentsIn(fields: FormData): number[] {
  const percents = linesIn(fields, "thresholds").map(Number);
  if (percents.length === 0 || percents.some((percent) => !Number.isInteger(percent) || percent < 1))
    throw new FieldError("thresholds", "Enter whole percentages such as 50, 80, 100.");
  return percents;
}
