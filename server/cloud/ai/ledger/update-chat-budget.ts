import { z } from "zod";
import { recordUpdate } from "../../../identity/audit/record-update";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { assertLimits, budgetTarget, ChatBudget, NO_SPEND, toChatBudget } from "./chat-budget";
import { budgetUpdated } from "./chat-budget.events";
import { chatBudgetExample } from "./chat-budget.example";
import { currentSpend, lockBudget } from "./chat-budget.sql";
import { budgetFields } from "./chat-fields";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { assertMayChange, findChatBudget } from "./find-chat-budget";

/** Changes the given fields, which apply to the next request. Throws `not_found`, and `invalid_request` without a limit. */
export const updateChatBudget = operation({
  id: "updateChatBudget",
  summary: "Update a budget",
  description:
    "Changes apply from the next request on, in every process; what is spent stays. The window cannot be changed: create another budget.",
  access: "gateway:write",
  input: z.strictObject({
    budget: IdText.min(1),
    name: budgetFields.name.optional(),
    amount_micros: budgetFields.amount_micros.optional(),
    tokens: budgetFields.tokens.optional(),
    action: budgetFields.action.optional(),
  }),
  output: ChatBudget,
  example: {
    input: { budget: chatBudgetExample.id, amount_micros: 80_000_000 },
    output: {
      ...chatBudgetExample,
      amount_micros: 80_000_000,
      remaining: { amount_micros: 67_654_321.5, tokens: null },
    },
  },
  run: (ctx: ActorCtx & Pick<ChatLedgerCtx, "currency" | "sql">, input) =>
    ctx.db.$transaction(async (tx) => {
      await lockBudget(tx, input.budget);
      const before = await findChatBudget({ db: tx, actor: ctx.actor }, input.budget);
      assertMayChange(ctx.actor, before);
      const now = ctx.clock.now();
      const spend = (await currentSpend(ctx.sql, [before.id], now)).get(before.id) ?? NO_SPEND;
      const row = await tx.chatBudget.update({
        where: { id: before.id },
        data: {
          ...(input.name !== undefined && { name: input.name }),
          ...(input.amount_micros !== undefined && { amountMicros: input.amount_micros }),
          ...(input.tokens !== undefined && { tokens: input.tokens }),
          ...(input.action !== undefined && { action: input.action }),
          updatedAt: now,
        },
      });
      const [old, budget] = [before, row].map((each) => toChatBudget(each, { spend, currency: ctx.currency, now }));
      if (!(old && budget)) throw new Error("A budget was changed without a result.");
      assertLimits(budget);
      const event = (changed: string[]) =>
        newEvent(
          budgetUpdated,
          { ...budget, budget_id: row.id, changed },
          { projectId: row.projectId, mode: row.mode },
        );
      await recordUpdate(tx, ctx, { target: budgetTarget(row), before: old, after: budget, event });
      return budget;
    }),
});
