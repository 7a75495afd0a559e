import type { Pool } from "pg";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { recordEvent } from "../../../identity/events/record-event";
import type { Clock } from "../../../kernel/clock";
import { NO_SPEND, toChatBudget } from "./chat-budget";
import { budgetReached } from "./chat-budget.events";
import { type Crossing, claimCrossing, findCrossings, spendIn } from "./chat-budget.sql";

export interface CrossingParts {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  currency: string;
}

const PERCENTS = [80, 100] as const;

/** Records an event for each percentage of a budget that was reached, once per window, in however many processes it runs. */
export async function recordBudgetCrossings(parts: CrossingParts): Promise<void> {
  const { sql, clock } = parts;
  for (const crossing of await findCrossings(sql, clock.now())) {
    for (const percent of PERCENTS) if (percent <= crossing.percent) await recordCrossing(parts, crossing, percent);
  }
}

async function recordCrossing(
  { db, sql, clock, currency }: CrossingParts,
  crossing: Crossing,
  percent: 80 | 100,
): Promise<void> {
  const at = clock.now();
  const spend = (await spendIn(sql, crossing)) ?? NO_SPEND;
  await db.$transaction(async (tx) => {
    if (!(await claimCrossing(tx, crossing, percent))) return;
    const row = await tx.chatBudget.findUniqueOrThrow({ where: { id: crossing.id } });
    const { spent, ...budget } = toChatBudget(row, { spend, currency, now: crossing.windowStart });
    const { tenantId, projectId, mode } = row;
    const { name, key_id, amount_micros, tokens, window, action, resets_at } = budget;
    const data = {
      budget_id: row.id,
      name,
      key_id,
      amount_micros,
      tokens,
      window,
      action,
      currency,
      percent,
      resets_at,
      spent_micros: spent.amount_micros,
      spent_tokens: spent.tokens,
      window_start: crossing.windowStart.toISOString(),
    };
    await recordEvent(tx, { tenantId, projectId, mode, at }, { kind: budgetReached, data });
  });
}
