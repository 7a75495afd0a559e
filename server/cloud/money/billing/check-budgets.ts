import type { Pool } from "pg";
import type { Mail } from "../../../engines/mail/mail";
import type { BillingBudget, Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import { recordEvent } from "../../../identity/events/record-event";
import type { Clock } from "../../../kernel/clock";
import { decimalOf, NANOS_PER_MICRO } from "../../../kernel/money";
import type { Mode } from "../../../operation/actor";
import { budgetThresholdCrossed } from "./budget.events";
import { budgetEmail } from "./budget-email";
import { CLOSES_AFTER_MS, monthOf, periodOf } from "./months";
import { readUsage, sumNanos } from "./usage";

export interface BudgetParts {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  currency: string;
  mail: Pick<Mail, "send">;
  publicUrl: string;
}

const PERCENT = 100n;
const BUDGETS_PER_PAGE = 500;

/**
 * Records an event and emails the owners for each threshold of a budget that the usage of the month has crossed: once per
 * month and threshold, in however many processes it runs. A month is looked at until its invoices are created, so that
 * what crosses a threshold in its last minute is told too.
 */
export async function checkBudgets(parts: BudgetParts): Promise<void> {
  const { db, clock } = parts;
  const now = clock.now();
  const months = new Set([monthOf(new Date(now.getTime() - CLOSES_AFTER_MS)), monthOf(now)]);
  for (const mode of ["test", "live"] as const) {
    for await (const budget of budgetsOf(db, mode))
      for (const month of months) await checkMonth(parts, { budget, month, now });
  }
}

async function* budgetsOf(db: PrismaClient, mode: Mode): AsyncGenerator<BillingBudget> {
  for (let after = ""; ; ) {
    const page = await db.billingBudget.findMany({
      where: { mode, tenantId: { gt: after } },
      orderBy: { tenantId: "asc" },
      take: BUDGETS_PER_PAGE,
    });
    yield* page;
    const last = page.at(-1);
    if (page.length < BUDGETS_PER_PAGE || !last) return;
    after = last.tenantId;
  }
}

interface BudgetMonth {
  budget: BillingBudget;
  month: string;
  now: Date;
}

async function checkMonth(parts: BudgetParts, { budget, month, now }: BudgetMonth): Promise<void> {
  const { tenantId, mode, thresholds, amountMicros } = budget;
  const { from, to } = periodOf(month);
  if (budget.createdAt >= to) return;
  const known = await parts.db.billingBudgetCrossing.findMany({ where: { tenantId, mode, month } });
  const open = thresholds.filter((percent) => !known.some((crossed) => crossed.percent === percent));
  if (open.length === 0) return;
  const end = to < now ? to : now;
  const asked = { tenantId, mode, from, to: end, now, byDay: false, byProject: false };
  const spentNanos = sumNanos(await readUsage(parts.sql, asked));
  for (const percent of open) {
    if (spentNanos * PERCENT < amountMicros * NANOS_PER_MICRO * BigInt(percent)) continue;
    await parts.db.$transaction((tx) => recordCrossing(tx, parts, { budget, month, percent, spentNanos, now }));
  }
}

interface Crossing extends BudgetMonth {
  percent: number;
  spentNanos: bigint;
}

async function recordCrossing(
  tx: Prisma.TransactionClient,
  { currency, mail, publicUrl }: BudgetParts,
  { budget, month, percent, spentNanos, now }: Crossing,
): Promise<void> {
  const { tenantId, mode } = budget;
  const { count } = await tx.billingBudgetCrossing.createMany({
    data: { tenantId, mode, month, percent, spentNanos, crossedAt: now },
    skipDuplicates: true,
  });
  if (count === 0) return;
  const spent = decimalOf(spentNanos);
  const amount = `${decimalOf(budget.amountMicros * NANOS_PER_MICRO)} ${currency}`;
  const owners = await tx.membership.findMany({ where: { tenantId, role: "owner" }, include: { user: true } });
  for (const { user } of owners) {
    const email = { to: user.email, publicUrl, month, mode, percent, spent: `${spent} ${currency}`, amount };
    await mail.send(tx, { tenantId, ...budgetEmail(email) });
  }
  const amount_micros = Number(budget.amountMicros);
  const data = { month, percent, amount_micros, spent, currency, simulated: mode === "test" };
  await recordEvent(tx, { tenantId, mode, at: now }, { kind: budgetThresholdCrossed, data });
}
