import { z } from "zod";
import { decimalOf } from "../../kernel/money";
import { modeOf } from "../../operation/actor";
import { exampleId } from "../../operation/example";
import { operation } from "../ads-operation";
import { modeChoice } from "../fields";
import { Amount, daysOfMonth, LINES_MAX, Month, StatementHead, statementHead, sumOf } from "./statement";
import type { StatementCtx } from "./statement-ctx";
import { readSpend, type SpendSums, type Spent } from "./statements.sql";

const SpentAmounts = z.object({
  charged: Amount.describe("For events on channels of other tenants, before reversals; exact, in units of `currency`"),
  reversed: Amount.describe("Given back to the prepaid balance"),
  spent: Amount.describe("`charged` minus `reversed`"),
  own_channels: Amount.describe(
    "What budgets were charged for events on the tenant's own channels, which are not paid; not part of `spent`",
  ),
});

export const SpendStatement = StatementHead.extend({
  opening_balance: Amount.describe("The prepaid balance at the start of the month"),
  credited: Amount.describe("Added to the prepaid balance"),
  closing_balance: Amount.describe("`opening_balance` plus `credited` minus `spent`: at the end of the month, or now"),
  totals: SpentAmounts,
  lines: z
    .array(
      SpentAmounts.extend({
        campaign_id: z.string().nullable(),
        campaign_name: z.string().nullable(),
      }),
    )
    .describe(`By campaign, the largest first; beyond ${LINES_MAX}, one line without an id has the sum of the rest`),
  days: z
    .array(z.object({ date: z.iso.date(), charged: Amount, reversed: Amount, own_channels: Amount }))
    .describe("The days with charges, in UTC"),
}).meta({ id: "SpendStatement" });
export type SpendStatement = z.output<typeof SpendStatement>;

const NOTHING: SpendSums = { lines: [], days: [], credited: 0n, closing: 0n };

/**
 * Returns what the tenant's campaigns spent in a month and the prepaid balance before and after, exactly, from the
 * ledger. An event counts in the UTC month in which it happened, and so does its reversal. Throws `invalid_request` for a
 * month that has not begun.
 */
export const getSpendStatement = operation({
  id: "getSpendStatement",
  summary: "Get the spend of a month by campaign",
  access: "ads:read",
  cost: "report",
  input: z.strictObject({ month: Month, mode: modeChoice }),
  output: SpendStatement,
  example: {
    input: { month: "2026-11" },
    output: {
      month: "2026-11",
      mode: "live",
      simulated: false,
      state: "open",
      currency: "USD",
      opening_balance: "0.00",
      credited: "250.00",
      closing_balance: "218.600015",
      totals: { charged: "31.649985", reversed: "0.25", spent: "31.399985", own_channels: "0.00" },
      lines: [
        {
          charged: "31.649985",
          reversed: "0.25",
          spent: "31.399985",
          own_channels: "0.00",
          campaign_id: exampleId("cmp"),
          campaign_name: "Winter boots",
        },
      ],
      days: [{ date: "2026-11-20", charged: "31.649985", reversed: "0.25", own_channels: "0.00" }],
    },
  },
  run: async (
    ctx: Pick<StatementCtx, "actor" | "clock" | "currency" | "db" | "reportTurns" | "sql">,
    { month, mode },
  ) => {
    const { tenantId } = ctx.actor;
    const head = await statementHead(ctx, { month, mode: modeOf(ctx.actor, mode) });
    const asked = { tenantId, ...daysOfMonth(month), linesMax: LINES_MAX };
    const isLive = head.mode === "live";
    const sums = isLive ? await ctx.reportTurns.run(tenantId, () => readSpend(ctx.sql, asked)) : NOTHING;
    const total = {
      charged: sumOf(sums.lines.map(({ charged }) => charged)),
      reversed: sumOf(sums.lines.map(({ reversed }) => reversed)),
      own: sumOf(sums.lines.map(({ own }) => own)),
    };
    return {
      ...head,
      opening_balance: decimalOf(sums.closing - sums.credited + total.charged - total.reversed),
      credited: decimalOf(sums.credited),
      closing_balance: decimalOf(sums.closing),
      totals: amountsOf(total),
      lines: sums.lines.map((line) => ({ campaign_id: line.id, campaign_name: line.name, ...amountsOf(line) })),
      days: sums.days.map(({ day, charged, reversed, own }) => ({
        date: day,
        charged: decimalOf(charged),
        reversed: decimalOf(reversed),
        own_channels: decimalOf(own),
      })),
    };
  },
});

const amountsOf = ({ charged, reversed, own }: Omit<Spent, "id" | "name">): z.output<typeof SpentAmounts> => ({
  charged: decimalOf(charged),
  reversed: decimalOf(reversed),
  spent: decimalOf(charged - reversed),
  own_channels: decimalOf(own),
});
