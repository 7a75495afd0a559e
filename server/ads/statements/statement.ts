import { z } from "zod";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import type { Mode } from "../../operation/actor";
import { pendingSince } from "../earnings/pending";

/** What exceeds it is one line, so that a statement is bounded and always complete. */
export const LINES_MAX = 5000;

const MONTH = /^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])$/;

export const Month = z
  .string()
  .regex(MONTH, "expected a month such as 2026-11")
  .describe("A month in UTC, such as 2026-11");

/** An exact amount of money, such as "12.50". */
export const Amount = z
  .string()
  .regex(/^-?\d+\.\d{2,9}$/)
  .describe("Exact, in units of `currency`, with 2 to 9 decimals");

export const StatementState = z
  .enum(["open", "pending", "final"])
  .describe(
    "`open` until the month is over; `pending` while earnings of the month are pending, so that reversals are likely; then `final`",
  );
export type StatementState = z.output<typeof StatementState>;

/** What every statement says of itself. */
export const StatementHead = z.object({
  month: Month,
  mode: z.enum(["test", "live"]),
  simulated: z.boolean().describe("True in test mode, where every amount is 0, and for the demo account"),
  state: StatementState,
  currency: z.string().describe("The installation's billing currency (ISO 4217)"),
});
export type StatementHead = z.output<typeof StatementHead>;

/** The days of a month, as dates; `to` is exclusive. */
export interface MonthDays {
  from: string;
  to: string;
}

/** The first day of a month in UTC, and that of the next. */
export function daysOfMonth(month: string): MonthDays {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10) };
}

export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Months and days are compared as texts, which sorts them by time. */
export function stateOf(month: string, now: Date): StatementState {
  if (month >= monthOf(now)) return "open";
  return daysOfMonth(month).to > pendingDay(now) ? "pending" : "final";
}

/** The first day whose earnings are pending. */
export const pendingDay = (now: Date): string => pendingSince(now).toISOString().slice(0, 10);

export interface StatementCtx {
  actor: { tenantId: string };
  db: Pick<PrismaClient, "tenant">;
  clock: { now(): Date };
  currency: string;
}

/** Throws `invalid_request` for a month that has not begun. */
export async function statementHead(
  { actor, db, clock, currency }: StatementCtx,
  { month, mode }: { month: string; mode: Mode },
): Promise<StatementHead> {
  const now = clock.now();
  if (month > monthOf(now)) {
    throw new ServiceError("invalid_request", `The month has not begun; the current one is ${monthOf(now)} (UTC).`, {
      param: "month",
    });
  }
  const where = { id: actor.tenantId };
  const { isDemo } = await db.tenant.findUniqueOrThrow({ where, select: { isDemo: true } });
  return { month, mode, simulated: mode === "test" || isDemo, state: stateOf(month, now), currency };
}
