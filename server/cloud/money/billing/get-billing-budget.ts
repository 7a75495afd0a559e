import { z } from "zod";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { BillingCtx } from "./billing-ctx";
import { modeChoice } from "./billing-fields";
import { BillingBudget, toBudget } from "./budget";
import { budgetExample } from "./budget.example";
import { monthOfBudget } from "./month-of-budget";

/** Returns the budget of a tenant and mode with what the month cost; without a budget its amount is null. */
export const getBillingBudget = operation({
  id: "getBillingBudget",
  summary: "Get the budget of a month, and what is spent",
  access: "billing:read",
  cost: "report",
  input: z.strictObject({ mode: modeChoice }),
  output: BillingBudget,
  example: { input: {}, output: budgetExample },
  run: async (ctx: BillingCtx, input) => {
    const owner = { tenantId: ctx.actor.tenantId, mode: modeOf(ctx.actor, input.mode) };
    const row = await ctx.db.billingBudget.findUnique({ where: { tenantId_mode: owner } });
    return toBudget(row, await monthOfBudget(ctx, owner));
  },
});
