import { z } from "zod";
import { listScope } from "../../identity/list-scope";
import { findProject } from "../../identity/projects/find-project";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { ChatBudget } from "./chat-budget";
import { chatBudgetExample } from "./chat-budget.example";
import { placeFields } from "./chat-fields";
import { withSpend } from "./find-chat-budget";

export const ListChatBudgets = z.strictObject({
  ...PageQuery.shape,
  mode: placeFields.mode,
  project: placeFields.project.describe("Only budgets of this project, by its id or name"),
});

/** Lists the budgets of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listChatBudgets = operation({
  id: "listChatBudgets",
  summary: "List budgets for chat requests with what is spent",
  access: "gateway:read",
  cost: "cheap",
  input: ListChatBudgets,
  output: pageOf(ChatBudget),
  example: { input: { limit: 50 }, output: examplePage(chatBudgetExample) },
  run: async (ctx: CloudCtx, input) => {
    const { db, actor } = ctx;
    const mode = modeOf(actor, input.mode);
    const isOfOne = actor.kind === "key" || input.project !== undefined;
    const projectId = isOfOne ? (await findProject(db, actor, input.project)).id : undefined;
    return fetchPage(listScope(ctx, "chat_budgets", { mode, projectId }), input, async ({ after, take }) => {
      const rows = await db.chatBudget.findMany({
        where: {
          ...{ tenantId: actor.tenantId, mode, deletedAt: null },
          ...(projectId !== undefined && { projectId }),
          ...(after !== undefined && { id: { lt: after } }),
        },
        orderBy: { id: "desc" },
        take,
      });
      return withSpend(ctx, rows);
    });
  },
});
