import { z } from "zod";
import { nanosToMicros } from "../../kernel/money";
import { type Mode, modeOf } from "../../operation/actor";
import { operation } from "../ads-operation";
import { mode, modeChoice } from "../fields";
import { type EarningSums, sumEarnings } from "./earnings.sql";
import type { EarningsCtx } from "./earnings-ctx";
import { availableOn, PENDING_DAYS, pendingSince } from "./pending";

const Micros = z.int().min(0);

/** What the tenant's channels earned from other tenants' campaigns. */
export const Earnings = z
  .object({
    mode,
    simulated: z.boolean().describe("True in test mode, where every amount is 0, and for the demo account"),
    least_click_micros: Micros.describe(
      "The publisher's share of a click at the reserve price: the least that a click on a paid CPC offer earns",
    ),
    currency: z.string(),
    pending_days: z
      .int()
      .describe(
        "The number of full UTC days after an event's day during which its earning is pending and can be clawed back",
      ),
    pending_micros: Micros.describe("Earned but not yet available"),
    available_micros: Micros.describe("Earned and no longer pending"),
    clawed_back_micros: Micros.describe("Reversed by an operator; not part of the two amounts above"),
    next_available: z
      .array(z.object({ date: z.iso.date(), amount_micros: Micros }))
      .describe("When pending earnings become available, at 00:00 UTC; each amount is rounded, so the sum can differ"),
  })
  .meta({ id: "Earnings" });
export type Earnings = z.output<typeof Earnings>;

const NOTHING: EarningSums = { pending: 0n, available: 0n, clawedBack: 0n, days: [] };

/**
 * Returns the tenant's earnings from the ledger, rounded once per amount. House offers, test offers and the tenant's
 * own campaigns on its own channels earn nothing.
 */
export const getEarnings = operation({
  id: "getEarnings",
  summary: "Get pending, available and clawed-back earnings",
  access: "ads:read",
  input: z.strictObject({ mode: modeChoice }),
  output: Earnings,
  example: {
    input: { mode: "live" },
    output: {
      mode: "live",
      simulated: false,
      least_click_micros: 35_000,
      currency: "USD",
      pending_days: 30,
      pending_micros: 6_720_000,
      available_micros: 51_300_000,
      clawed_back_micros: 1_400_000,
      next_available: [{ date: "2026-12-21", amount_micros: 6_720_000 }],
    },
  },
  run: async (
    ctx: Pick<EarningsCtx, "actor" | "clock" | "currency" | "db" | "publisherShare" | "reserve" | "sql">,
    input,
  ) => {
    const { tenantId } = ctx.actor;
    const requested: Mode = modeOf(ctx.actor, input.mode);
    const isLive = requested === "live";
    const since = pendingSince(ctx.clock.now());
    const sums = isLive ? await sumEarnings(ctx.sql, { tenantId, since }) : NOTHING;
    const { isDemo } = await ctx.db.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: { isDemo: true } });
    return {
      mode: requested,
      simulated: !isLive || isDemo,
      least_click_micros: Math.floor(ctx.reserve.cpcMicros * ctx.publisherShare),
      currency: ctx.currency,
      pending_days: PENDING_DAYS,
      pending_micros: microsOf(sums.pending),
      available_micros: microsOf(sums.available),
      clawed_back_micros: microsOf(sums.clawedBack),
      next_available: sums.days.map(({ day, nanos }) => ({ date: availableOn(day), amount_micros: microsOf(nanos) })),
    };
  },
});

const microsOf = (nanos: bigint): number => Number(nanosToMicros(nanos));
