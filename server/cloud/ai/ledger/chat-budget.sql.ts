import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";
import type { BudgetSpend } from "./chat-budget";

/** What was spent in the current windows, by the id of the budget. */
export async function currentSpend(sql: Pool, ids: readonly string[], now: Date): Promise<Map<string, BudgetSpend>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql.query<BudgetSpend & { id: string }>({
    name: "chat_budget_spend_now",
    text: `SELECT b.id, s.spent_nanos AS "spentNanos", s.spent_tokens AS "spentTokens",
        s.reserved_nanos AS "reservedNanos", s.reserved_tokens AS "reservedTokens"
      FROM chat_budgets b JOIN chat_budget_spend s
        ON s.budget_id = b.id AND s.window_start = date_trunc(b."window"::text, $2::timestamptz, 'UTC')
      WHERE b.id = ANY($1)`,
    values: [ids, now],
  });
  return new Map(rows.map(({ id, ...spend }) => [id, spend]));
}

export async function lockBudget(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM chat_budgets WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** A window in which a percentage of the budget was reached that has no event yet. */
export interface Crossing {
  id: string;
  windowStart: Date;
  percent: 80 | 100;
}

/** Windows of the last days are looked at: a request is billed in the window in which it began. */
export async function findCrossings(sql: Pool, now: Date): Promise<Crossing[]> {
  const { rows } = await sql.query<Crossing>({
    name: "chat_budget_crossings",
    text: `SELECT id, window_start AS "windowStart", percent FROM (
        SELECT b.id, s.window_start, s.reached_percent, CASE
          WHEN s.spent_nanos >= b.amount_micros * 1000 OR s.spent_tokens >= b.tokens THEN 100
          WHEN s.spent_nanos >= b.amount_micros * 800 OR s.spent_tokens * 10 >= b.tokens * 8
            THEN CASE WHEN s.has_refused THEN 100 ELSE 80 END
          ELSE 0 END AS percent
        FROM chat_budget_spend s JOIN chat_budgets b ON b.id = s.budget_id AND b.deleted_at IS NULL
        WHERE s.window_start >= date_trunc('month', $1::timestamptz - interval '1 day', 'UTC') AND s.reached_percent < 100
      ) crossed WHERE percent > reached_percent ORDER BY id, window_start LIMIT 1000`,
    values: [now],
  });
  return rows;
}

/** False if another process was first. */
export async function claimCrossing(
  tx: Prisma.TransactionClient,
  crossing: Crossing,
  percent: number,
): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE chat_budget_spend SET reached_percent = ${percent}
    WHERE budget_id = ${crossing.id} AND window_start = ${crossing.windowStart} AND reached_percent < ${percent}`;
  return changed === 1;
}

export async function spendIn(sql: Pool, { id, windowStart }: Crossing): Promise<BudgetSpend | undefined> {
  const { rows } = await sql.query<BudgetSpend>(
    `SELECT spent_nanos AS "spentNanos", spent_tokens AS "spentTokens", reserved_nanos AS "reservedNanos",
       reserved_tokens AS "reservedTokens"
     FROM chat_budget_spend WHERE budget_id = $1 AND window_start = $2`,
    [id, windowStart],
  );
  return rows[0];
}

/** Deletes windows that began before; the current ones are never that old. */
export async function deleteSpendBefore(sql: Pool, before: Date): Promise<void> {
  await sql.query("DELETE FROM chat_budget_spend WHERE window_start < $1", [before]);
}
