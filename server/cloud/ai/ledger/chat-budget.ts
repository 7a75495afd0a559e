import { z } from "zod";
import type { ChatBudget as ChatBudgetRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { NANOS_PER_MICRO } from "../../../kernel/money";
import { toWire } from "../../../kernel/to-wire";
import { windowEnd } from "./budget-window";

export const BUDGET_ID_PREFIX = "bdg";

const Amounts = z.object({ amount_micros: z.number(), tokens: z.int() });

/** A limit for what chat requests may cost, and how much of it is used. */
export const ChatBudget = z
  .object({
    id: z.string().meta({ examples: ["bdg_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    key_id: z.string().nullable().describe("The API key that it limits; null: all requests of the project"),
    name: z.string(),
    currency: z.string(),
    amount_micros: z.int().nullable().describe("In micros of the currency; null: no limit in money"),
    tokens: z.int().nullable().describe("null: no limit in tokens"),
    window: z.enum(["day", "month"]).describe("Calendar days or months in UTC"),
    action: z.enum(["block", "notify"]),
    spent: Amounts.describe("By requests that began in the current window and have ended"),
    reserved: Amounts.describe("What running requests may cost at most, as far as that is known"),
    remaining: z
      .object({ amount_micros: z.number().nullable(), tokens: z.int().nullable() })
      .describe("Never below 0; null where there is no limit"),
    resets_at: z.iso.datetime(),
    simulated: z.boolean().describe("true in test mode, in which nothing is charged"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "ChatBudget" });
export type ChatBudget = z.infer<typeof ChatBudget>;

/** What was spent and reserved in a window. */
export interface BudgetSpend {
  spentNanos: bigint;
  spentTokens: bigint;
  reservedNanos: bigint;
  reservedTokens: bigint;
}

export const NO_SPEND: BudgetSpend = { spentNanos: 0n, spentTokens: 0n, reservedNanos: 0n, reservedTokens: 0n };

/** Exact: with up to three decimals. */
export const microsOf = (nanos: bigint): number => Number(nanos) / Number(NANOS_PER_MICRO);

interface BudgetNow {
  spend: BudgetSpend;
  currency: string;
  now: Date;
}

export const toChatBudget = (row: ChatBudgetRow, { spend, currency, now }: BudgetNow): ChatBudget =>
  toWire(ChatBudget, row, {
    currency,
    spent: { amount_micros: microsOf(spend.spentNanos), tokens: Number(spend.spentTokens) },
    reserved: { amount_micros: microsOf(spend.reservedNanos), tokens: Number(spend.reservedTokens) },
    remaining: {
      amount_micros:
        row.amountMicros === null ? null : microsOf(left(row.amountMicros * NANOS_PER_MICRO, spend.spentNanos)),
      tokens: row.tokens === null ? null : Number(left(row.tokens, spend.spentTokens)),
    },
    resets_at: windowEnd(row.window, now).toISOString(),
    simulated: row.mode === "test",
  });

const left = (limit: bigint, spent: bigint): bigint => (spent < limit ? limit - spent : 0n);

export const budgetTarget = targetOf("chat_budget");

export const noSuchBudget = (asked: string): ServiceError =>
  new ServiceError("not_found", `No budget has the id "${asked.slice(0, 80)}".`);

/** Throws `invalid_request` for a budget that limits nothing. */
export function assertLimits({ amount_micros, tokens }: { amount_micros: unknown; tokens: unknown }): void {
  if (amount_micros !== null || tokens !== null) return;
  throw new ServiceError("invalid_request", "amount_micros: a budget needs amount_micros, tokens or both.", {
    param: "amount_micros",
  });
}
