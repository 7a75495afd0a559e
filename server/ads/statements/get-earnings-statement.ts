import { z } from "zod";
import { decimalOf } from "../../kernel/money";
import { modeOf } from "../../operation/actor";
import { exampleId } from "../../operation/example";
import { operation } from "../ads-operation";
import { modeChoice } from "../fields";
import { Amount, daysOfMonth, LINES_MAX, Month, pendingDay, StatementHead, statementHead, sumOf } from "./statement";
import type { StatementCtx } from "./statement-ctx";
import { type Earned, type EarningsSums, readEarnings } from "./statements.sql";

const EarnedAmounts = z.object({
  earned: Amount.describe("Before reversals; exact, in units of `currency`"),
  clawed_back: Amount.describe("Reversed by an operator"),
  pending: Amount.describe("Earned, not clawed back, and not yet available"),
  available: Amount,
});

export const EarningsStatement = StatementHead.extend({
  totals: EarnedAmounts,
  lines: z
    .array(
      EarnedAmounts.extend({
        channel_id: z.string().nullable(),
        channel_name: z.string().nullable(),
      }),
    )
    .describe(`By channel, the largest first; beyond ${LINES_MAX}, one line without an id has the sum of the rest`),
  days: z
    .array(z.object({ date: z.iso.date(), earned: Amount, clawed_back: Amount }))
    .describe("The days with earnings, in UTC"),
}).meta({ id: "EarningsStatement" });
export type EarningsStatement = z.output<typeof EarningsStatement>;

const NOTHING: EarningsSums = { lines: [], days: [] };

/**
 * Returns what the tenant's channels earned in a month, exactly, from the ledger. An event counts in the UTC month in
 * which it happened, and so does its reversal. Throws `invalid_request` for a month that has not begun.
 */
export const getEarningsStatement = operation({
  id: "getEarningsStatement",
  summary: "Get the earnings of a month by channel",
  access: "ads:read",
  cost: "report",
  input: z.strictObject({ month: Month, mode: modeChoice }),
  output: EarningsStatement,
  example: {
    input: { month: "2026-11" },
    output: {
      month: "2026-11",
      mode: "live",
      simulated: false,
      state: "open",
      currency: "USD",
      totals: { earned: "12.7004", clawed_back: "0.20", pending: "12.5004", available: "0.00" },
      lines: [
        {
          earned: "12.7004",
          clawed_back: "0.20",
          pending: "12.5004",
          available: "0.00",
          channel_id: exampleId("chn"),
          channel_name: "Running magazine",
        },
      ],
      days: [{ date: "2026-11-20", earned: "12.7004", clawed_back: "0.20" }],
    },
  },
  run: async (
    ctx: Pick<StatementCtx, "actor" | "clock" | "currency" | "db" | "reportTurns" | "sql">,
    { month, mode },
  ) => {
    const { tenantId } = ctx.actor;
    const head = await statementHead(ctx, { month, mode: modeOf(ctx.actor, mode) });
    const asked = { tenantId, ...daysOfMonth(month), linesMax: LINES_MAX, pendingFrom: pendingDay(ctx.clock.now()) };
    const isLive = head.mode === "live";
    const { lines, days } = isLive ? await ctx.reportTurns.run(tenantId, () => readEarnings(ctx.sql, asked)) : NOTHING;
    return {
      ...head,
      totals: amountsOf({
        earned: sumOf(lines.map(({ earned }) => earned)),
        clawedBack: sumOf(lines.map(({ clawedBack }) => clawedBack)),
        pending: sumOf(lines.map(({ pending }) => pending)),
      }),
      lines: lines.map((line) => ({ channel_id: line.id, channel_name: line.name, ...amountsOf(line) })),
      days: days.map((day) => ({
        date: day.day,
        earned: decimalOf(day.earned),
        clawed_back: decimalOf(day.clawedBack),
      })),
    };
  },
});

const amountsOf = ({ earned, clawedBack, pending }: Omit<Earned, "id" | "name">): z.output<typeof EarnedAmounts> => ({
  earned: decimalOf(earned),
  clawed_back: decimalOf(clawedBack),
  pending: decimalOf(pending),
  available: decimalOf(earned - clawedBack - pending),
});
