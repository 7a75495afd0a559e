import { decimalOf } from "../../../kernel/money";
import type { Mode } from "../../../operation/actor";
import type { BillingCtx } from "./billing-ctx";
import { monthOf, periodOf } from "./months";
import { readUsage, sumNanos } from "./usage";

/** What the current month of a tenant and mode cost until now, and which thresholds it has crossed. */
export async function monthOfBudget(
  { db, sql, clock, currency }: Pick<BillingCtx, "db" | "sql" | "clock" | "currency">,
  owner: { tenantId: string; mode: Mode },
) {
  const now = clock.now();
  const month = monthOf(now);
  const crossed = await db.billingBudgetCrossing.findMany({ where: { ...owner, month }, orderBy: { percent: "asc" } });
  const { from } = periodOf(month);
  const spent = sumNanos(await readUsage(sql, { ...owner, from, to: now, now, byDay: false, byProject: false }));
  return { mode: owner.mode, currency, month, spent: decimalOf(spent), crossed };
}
