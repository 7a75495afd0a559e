import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerPage } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { ChatBudget } from "./chat-budget";
import { chatBudgetExample } from "./chat-budget.example";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { withSpend } from "./find-chat-budget";

/** Lists the budgets of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listChatBudgets = operation({
  id: "listChatBudgets",
  summary: "List budgets for chat requests with what is spent",
  access: "gateway:read",
  input: z.strictObject(ownerPage("budgets")),
  output: pageOf(ChatBudget),
  example: { input: { limit: 50 }, output: examplePage(chatBudgetExample) },
  run: (ctx: ActorCtx & Pick<ChatLedgerCtx, "currency" | "sql">, input) =>
    pageOfOwner(ctx, { list: "chat_budgets", input }, async ({ where, ...page }) =>
      withSpend(ctx, await ctx.db.chatBudget.findMany({ where: { ...where, deletedAt: null }, ...page })),
    ),
});
