import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { IdText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { announceChatRules } from "./announce-chat-rules";
import { assertLimits, BUDGET_ID_PREFIX, budgetTarget, ChatBudget, NO_SPEND, toChatBudget } from "./chat-budget";
import { budgetCreated } from "./chat-budget.events";
import { chatBudgetExample } from "./chat-budget.example";
import { budgetFields } from "./chat-fields";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { CHAT_LEDGER_QUOTAS } from "./ledger.quotas";

/** Creates a budget. Throws `not_found` for the project or the key, `invalid_request` without a limit, `quota_exceeded`. */
export const createChatBudget = operation({
  id: "createChatBudget",
  summary: "Create a budget for chat requests",
  description:
    "Limits what the chat requests of a project or of one API key cost, in money, in tokens or in both, per day or month in UTC. A request is admitted only if what was spent, what running requests have reserved and what this one can cost at most fit. A request reserves the price of its prompt and of `max_completion_tokens` (or `max_tokens`), or of 1,024 tokens if it limits its answer in neither way; when it ends it is billed what it really cost. A budget counts requests that begin after it was created. In test mode budgets count simulated costs.",
  access: "gateway:write",
  idempotent: true,
  result: "created",
  quota: CHAT_LEDGER_QUOTAS.chat_budgets,
  input: z.strictObject({
    name: budgetFields.name,
    key_id: IdText.min(1)
      .nullable()
      .default(null)
      .describe("Limit one API key of the project; null: all of its requests"),
    amount_micros: budgetFields.amount_micros.default(null),
    tokens: budgetFields.tokens.default(null),
    window: z.enum(["day", "month"]).describe("Calendar days or months in UTC; it cannot be changed later"),
    action: budgetFields.action.default("block"),
    ...ownerFields,
  }),
  output: ChatBudget,
  example: {
    input: { name: "Support bot", amount_micros: 50_000_000, window: "month" },
    output: { ...chatBudgetExample, spent: { amount_micros: 0, tokens: 0 }, reserved: { amount_micros: 0, tokens: 0 } },
  },
  run: async (ctx: ActorCtx & Pick<ChatLedgerCtx, "counters" | "currency">, input) => {
    const { db, clock, actor, currency, counters } = ctx;
    assertLimits(input);
    const { budget, projectId } = await db.$transaction(async (tx) => {
      const project = await findProject(tx, actor, input.project);
      const owner = { tenantId: actor.tenantId, projectId: project.id, mode: modeOf(actor, input.mode) };
      if (input.key_id !== null) await requireKey(tx, { ...owner, id: input.key_id });
      const now = clock.now();
      const row = await tx.chatBudget.create({
        data: {
          id: newId(BUDGET_ID_PREFIX, now.getTime()),
          ...owner,
          keyId: input.key_id,
          name: input.name,
          amountMicros: input.amount_micros,
          tokens: input.tokens,
          window: input.window,
          action: input.action,
          createdAt: now,
          updatedAt: now,
        },
      });
      const budget = toChatBudget(row, { spend: NO_SPEND, currency, now });
      const event = newEvent(budgetCreated, { ...budget, budget_id: row.id }, owner);
      await recordAudit(tx, ctx, {
        action: "chat_budget.created",
        targets: [budgetTarget(row)],
        details: budget,
        events: [event],
      });
      return { budget, projectId: project.id };
    });
    await announceChatRules(counters, projectId);
    return budget;
  },
});

async function requireKey(
  tx: Prisma.TransactionClient,
  where: Prisma.ApiKeyWhereInput & { id: string },
): Promise<void> {
  if (await tx.apiKey.findFirst({ where: { ...where, revokedAt: null } })) return;
  throw new ServiceError(
    "not_found",
    `No active API key of this project and mode has the id "${where.id.slice(0, 80)}".`,
    { param: "key_id" },
  );
}
