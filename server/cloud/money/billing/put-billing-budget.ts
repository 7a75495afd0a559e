import { z } from "zod";
import { recordUpdate } from "../../../identity/audit/record-update";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { BillingCtx } from "./billing-ctx";
import { modeChoice } from "./billing-fields";
import { BillingBudget, budgetFields, budgetTarget, THRESHOLDS_DEFAULT, toBudget } from "./budget";
import { budgetExample } from "./budget.example";
import { monthOfBudget } from "./month-of-budget";

/** Sets the budget of a tenant and mode. */
export const putBillingBudget = operation({
  id: "putBillingBudget",
  summary: "Set the budget of a month",
  description:
    "Sends the event `budget.threshold_crossed` and an email to the owners of the tenant when the usage of a month in UTC reaches a percentage of the amount, at most once per month and percentage, within about a minute. Usage continues beyond a budget.",
  access: "billing:write",
  input: z.strictObject({
    amount_micros: budgetFields.amount_micros,
    thresholds: budgetFields.thresholds.default(THRESHOLDS_DEFAULT),
    mode: modeChoice,
  }),
  output: BillingBudget,
  example: { input: { amount_micros: 500_000_000, thresholds: [50, 80, 100] }, output: budgetExample },
  run: async (ctx: BillingCtx, input) => {
    const { db, actor, clock } = ctx;
    const owner = { tenantId: actor.tenantId, mode: modeOf(actor, input.mode) };
    const now = clock.now();
    const changes = {
      amountMicros: BigInt(input.amount_micros),
      thresholds: [...input.thresholds].sort((a, b) => a - b),
      updatedAt: now,
    };
    const row = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM tenants WHERE id = ${actor.tenantId} FOR NO KEY UPDATE`;
      const before = await tx.billingBudget.findUnique({ where: { tenantId_mode: owner } });
      const after = await tx.billingBudget.upsert({
        where: { tenantId_mode: owner },
        create: { ...owner, ...changes, createdAt: now },
        update: changes,
      });
      await recordUpdate(tx, ctx, {
        target: budgetTarget(owner.mode),
        before: before ? shown(before) : { amount_micros: null, thresholds: null },
        after: shown(after),
      });
      return after;
    });
    return toBudget(row, await monthOfBudget(ctx, owner));
  },
});

const shown = ({ amountMicros, thresholds }: { amountMicros: bigint; thresholds: number[] }) => ({
  amount_micros: Number(amountMicros),
  thresholds,
});
