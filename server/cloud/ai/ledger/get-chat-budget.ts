import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { ChatBudget, noSuchBudget } from "./chat-budget";
import { chatBudgetExample } from "./chat-budget.example";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { findChatBudget, withSpend } from "./find-chat-budget";

/** Returns a budget and what is spent of it in the current window. Throws `not_found`. */
export const getChatBudget = operation({
  id: "getChatBudget",
  summary: "Get a budget with what is spent, what remains and when it resets",
  access: "gateway:read",
  input: z.strictObject({ budget: IdText.min(1) }),
  output: ChatBudget,
  example: { input: { budget: chatBudgetExample.id }, output: chatBudgetExample },
  run: async (ctx: ActorCtx & Pick<ChatLedgerCtx, "currency" | "sql">, { budget }) => {
    const [found] = await withSpend(ctx, [await findChatBudget(ctx, budget)]);
    if (!found) throw noSuchBudget(budget);
    return found;
  },
});
