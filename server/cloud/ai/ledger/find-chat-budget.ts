import type { ChatBudget as ChatBudgetRow } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import { NO_SPEND, noSuchBudget, toChatBudget } from "./chat-budget";
import { currentSpend } from "./chat-budget.sql";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";

/** Returns a budget that the actor may see: a key those of its own project and mode. Throws `not_found`. */
export async function findChatBudget(
  { db, actor }: Pick<ChatLedgerCtx, "actor"> & { db: Pick<ChatLedgerCtx["db"], "chatBudget"> },
  id: string,
): Promise<ChatBudgetRow> {
  const own = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
  const row = await db.chatBudget.findFirst({ where: { id, tenantId: actor.tenantId, deletedAt: null, ...own } });
  if (!row) throw noSuchBudget(id);
  return row;
}

/** The wire form of budgets, with what is spent now. */
export async function withSpend(
  { sql, clock, currency }: ActorCtx & Pick<ChatLedgerCtx, "currency" | "sql">,
  rows: readonly ChatBudgetRow[],
) {
  const now = clock.now();
  const ids = rows.map(({ id }) => id);
  const spent = await currentSpend(sql, ids, now);
  return rows.map((row) => toChatBudget(row, { spend: spent.get(row.id) ?? NO_SPEND, currency, now }));
}

/**
 * A key that calls models must not be able to lift its own limit: it may change budgets that limit itself only if it may
 * also change keys. Throws `forbidden`.
 */
export function assertMayChange(actor: Actor, { keyId }: { keyId: string | null }): void {
  if (actor.kind !== "key" || actor.scopes.has("keys:write")) return;
  if (keyId !== null && keyId !== actor.keyId) return;
  throw new ServiceError("forbidden", "A key changes budgets that limit itself only with the scope keys:write.", {
    details: { reason: "scope_missing", scope: "keys:write" },
  });
}
