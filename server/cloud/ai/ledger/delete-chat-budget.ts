import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { budgetTarget, NO_SPEND, toChatBudget } from "./chat-budget";
import { budgetDeleted } from "./chat-budget.events";
import { chatBudgetExample } from "./chat-budget.example";
import { lockBudget } from "./chat-budget.sql";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { assertMayChange, findChatBudget } from "./find-chat-budget";

/** Deletes a budget: it limits nothing from then on. Throws `not_found`. */
export const deleteChatBudget = operation({
  id: "deleteChatBudget",
  summary: "Delete a budget",
  description: "It limits nothing from the next request on. The requests that it counted stay in the log.",
  access: "gateway:write",
  input: z.strictObject({ budget: IdText.min(1) }),
  output: z.void(),
  example: { input: { budget: chatBudgetExample.id }, output: undefined },
  run: (ctx: ActorCtx & Pick<ChatLedgerCtx, "currency">, input) =>
    ctx.db.$transaction(async (tx) => {
      await lockBudget(tx, input.budget);
      const row = await findChatBudget({ db: tx, actor: ctx.actor }, input.budget);
      assertMayChange(ctx.actor, row);
      const now = ctx.clock.now();
      await tx.chatBudget.update({ where: { id: row.id }, data: { deletedAt: now, updatedAt: now } });
      const budget = toChatBudget(row, { spend: NO_SPEND, currency: ctx.currency, now });
      const owner = { projectId: row.projectId, mode: row.mode };
      const event = newEvent(budgetDeleted, { ...budget, budget_id: row.id }, owner);
      await recordAudit(tx, ctx, { action: "chat_budget.deleted", targets: [budgetTarget(row)], events: [event] });
    }),
});
