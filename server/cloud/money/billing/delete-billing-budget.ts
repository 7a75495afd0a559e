import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { BillingCtx } from "./billing-ctx";
import { modeChoice } from "./billing-fields";
import { budgetTarget } from "./budget";

/** Deletes the budget of a tenant and mode; without one it does nothing. */
export const deleteBillingBudget = operation({
  id: "deleteBillingBudget",
  summary: "Delete the budget of a month",
  access: "billing:write",
  input: z.strictObject({ mode: modeChoice }),
  output: z.void(),
  example: { input: {}, output: undefined },
  run: async (ctx: BillingCtx, input) => {
    const owner = { tenantId: ctx.actor.tenantId, mode: modeOf(ctx.actor, input.mode) };
    await ctx.db.$transaction(async (tx) => {
      const { count } = await tx.billingBudget.deleteMany({ where: owner });
      if (count === 0) return;
      await recordAudit(tx, ctx, { action: "billing_budget.deleted", targets: [budgetTarget(owner.mode)] });
    });
  },
});
