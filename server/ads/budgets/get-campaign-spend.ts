import { z } from "zod";
import { nanosToMicros } from "../../kernel/money";
import { exampleId } from "../../operation/example";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import type { BudgetCtx } from "./budget-ctx";
import { campaignDay } from "./campaign-day";
import { spendByDay, spendBySlot } from "./campaign-spend.sql";

const DAYS_MAX = 60;

/** Amounts are in micros of the billing currency; days begin and end in the campaign's time zone. */
export const CampaignSpend = z.object({
  day: z.iso.date().describe("Today in the campaign's time zone"),
  day_from: z.iso.datetime(),
  day_to: z.iso.datetime(),
  today_micros: z.int(),
  total_micros: z.int(),
  slots: z
    .array(z.object({ at: z.iso.datetime(), spend_micros: z.int() }))
    .describe("The quarter hours of today with spend, oldest first; they are updated within seconds"),
  days: z
    .array(z.object({ day: z.iso.date(), spend_micros: z.int() }))
    .describe("The days with spend of the last 60 days, oldest first"),
});

/** Returns what a campaign was charged: today by quarter hour, and earlier by day. Throws `not_found`. */
export const getCampaignSpend = operation({
  id: "getCampaignSpend",
  summary: "Get what a campaign was charged",
  access: "ads:read",
  input: z.strictObject({ id }),
  output: CampaignSpend,
  example: {
    input: { id: exampleId("cmp") },
    output: {
      day: "2026-11-20",
      day_from: "2026-11-19T23:00:00.000Z",
      day_to: "2026-11-20T23:00:00.000Z",
      today_micros: 3_100_000,
      total_micros: 31_400_000,
      slots: [{ at: "2026-11-20T08:45:00.000Z", spend_micros: 310_000 }],
      days: [{ day: "2026-11-20", spend_micros: 3_100_000 }],
    },
  },
  run: async (ctx: BudgetCtx, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    const { day, fromMs, toMs } = campaignDay(campaign.timezone, ctx.clock.now().getTime());
    const owner = { tenantId: ctx.actor.tenantId, mode: campaign.mode, campaignId: campaign.id };
    const [{ total, days }, slots] = await Promise.all([
      spendByDay(ctx.sql, campaign.id, DAYS_MAX),
      spendBySlot(ctx.clickhouse, owner, { fromMs, toMs }),
    ]);
    return {
      day,
      day_from: new Date(fromMs).toISOString(),
      day_to: new Date(toMs).toISOString(),
      today_micros: micros(days.find((one) => one.day === day)?.nanos ?? 0n),
      total_micros: micros(total),
      slots: slots.map(({ atMs, nanos }) => ({ at: new Date(atMs).toISOString(), spend_micros: micros(nanos) })),
      days: days.map((one) => ({ day: one.day, spend_micros: micros(one.nanos) })),
    };
  },
});

const micros = (nanos: bigint): number => Number(nanosToMicros(nanos));
