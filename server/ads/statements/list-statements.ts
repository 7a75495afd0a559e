import { z } from "zod";
import { listScope } from "../../identity/list-scope";
import { nanosToMicros } from "../../kernel/money";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { modeChoice } from "../fields";
import { Month, pendingDay, StatementState, stateOf } from "./statement";
import type { StatementCtx } from "./statement-ctx";
import { listMonths, type MonthSums } from "./statements.sql";

const Micros = z.int();

const StatementMonth = z
  .object({
    month: Month,
    state: StatementState,
    currency: z.string(),
    earnings: z
      .object({
        earned_micros: Micros.describe("Of the tenant's channels, before reversals"),
        clawed_back_micros: Micros,
        pending_micros: Micros.describe("Earned, not clawed back, and not yet available"),
        available_micros: Micros,
      })
      .describe("From campaigns of other tenants; house offers and the tenant's own campaigns earn nothing"),
    spend: z.object({
      charged_micros: Micros.describe("For events on channels of other tenants, before reversals"),
      reversed_micros: Micros,
      spent_micros: Micros.describe("`charged_micros` minus `reversed_micros`, taken from the prepaid balance"),
      own_channels_micros: Micros.describe(
        "What budgets were charged for events on the tenant's own channels, which are not paid",
      ),
      credited_micros: Micros.describe("Added to the prepaid balance"),
      closing_balance_micros: Micros.describe("The prepaid balance at the end of the month, or now"),
    }),
  })
  .meta({ id: "StatementMonth" });
type StatementMonth = z.output<typeof StatementMonth>;

/**
 * Lists the months in which the tenant had earnings, spend or credits, newest first, from the ledger. An event counts
 * in the UTC month in which it happened, and so does its reversal. Each amount is rounded once; the statements have exact
 * ones. Test mode has no money and an empty list.
 */
export const listStatements = operation({
  id: "listStatements",
  summary: "List months with earnings or spend",
  access: "ads:read",
  cost: "report",
  input: z.strictObject({ ...PageQuery.shape, mode: modeChoice }),
  output: pageOf(StatementMonth),
  example: {
    input: { limit: 12 },
    output: examplePage<StatementMonth>({
      month: "2026-11",
      state: "open",
      currency: "USD",
      earnings: {
        earned_micros: 12_700_000,
        clawed_back_micros: 200_000,
        pending_micros: 12_500_000,
        available_micros: 0,
      },
      spend: {
        charged_micros: 31_650_000,
        reversed_micros: 250_000,
        spent_micros: 31_400_000,
        own_channels_micros: 0,
        credited_micros: 250_000_000,
        closing_balance_micros: 218_600_000,
      },
    }),
  },
  run: async (ctx: Pick<StatementCtx, "actor" | "clock" | "currency" | "cursorKey" | "reportTurns" | "sql">, input) => {
    const { tenantId } = ctx.actor;
    const mode = modeOf(ctx.actor, input.mode);
    const now = ctx.clock.now();
    const page = await fetchPage(listScope(ctx, "statements", { mode }), input, async ({ after: before, take }) => {
      if (mode === "test") return [];
      const asked = { tenantId, pendingFrom: pendingDay(now), before, take };
      const months = await ctx.reportTurns.run(tenantId, () => listMonths(ctx.sql, asked));
      return months.map((sums) => ({ id: sums.month, sums }));
    });
    return { ...page, data: page.data.map(({ sums }) => statementMonthOf(sums, ctx.currency, now)) };
  },
});

function statementMonthOf(sums: MonthSums, currency: string, now: Date): StatementMonth {
  const { month, earned, clawedBack, pending, charged, reversed } = sums;
  return {
    month,
    state: stateOf(month, now),
    currency,
    earnings: {
      earned_micros: microsOf(earned),
      clawed_back_micros: microsOf(clawedBack),
      pending_micros: microsOf(pending),
      available_micros: microsOf(earned - clawedBack - pending),
    },
    spend: {
      charged_micros: microsOf(charged),
      reversed_micros: microsOf(reversed),
      spent_micros: microsOf(charged - reversed),
      own_channels_micros: microsOf(sums.own),
      credited_micros: microsOf(sums.credited),
      closing_balance_micros: microsOf(sums.closing),
    },
  };
}

const microsOf = (nanos: bigint): number => Number(nanosToMicros(nanos));
