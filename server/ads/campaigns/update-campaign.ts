import { z } from "zod";
import type { Campaign as CampaignRow } from "../../engines/postgres/generated/client";
import { recordUpdate } from "../../identity/audit/record-update";
import { newEvent } from "../../identity/events/record-event";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { id, name } from "../fields";
import { Campaign, campaignOf, campaignTarget, ownCampaign } from "./campaign";
import { campaignUpdated } from "./campaign.events";
import { campaignExample } from "./campaign.example";
import { lockCampaign, touchProducts } from "./campaign.sql";
import type { CampaignCtx } from "./campaign-ctx";
import {
  attributionFields,
  bidMicros,
  budgetMicros,
  campaignStatus,
  caps,
  confirmHighBid,
  keywords,
  pacing,
  reach,
  schedule,
  targetingFields,
  timezone,
} from "./campaign-fields";
import { checkBid, checkTerms, checkTransition } from "./campaign-rules";
import { toCampaign } from "./to-campaigns";

export const UpdateCampaign = z.strictObject({
  id,
  name: name.optional(),
  bid_micros: bidMicros.optional(),
  confirm_high_bid: confirmHighBid.default(false),
  daily_budget_micros: budgetMicros.optional(),
  total_budget_micros: budgetMicros.optional(),
  starts_at: schedule.optional(),
  ends_at: schedule.optional(),
  timezone: timezone.optional(),
  pacing: pacing.optional(),
  reach: reach.optional(),
  status: campaignStatus
    .optional()
    .describe("Transitions: draft to active, active to paused and back, and any of these to ended"),
  caps: caps.optional(),
  targeting: z.strictObject(targetingFields).partial().optional().describe("Replaces only the given lists"),
  keywords: keywords.optional(),
  attribution: z.strictObject(attributionFields).partial().optional(),
});
type UpdateCampaign = z.output<typeof UpdateCampaign>;

/**
 * Changes the given fields, `targeting` and `attribution` one level deep; `null` clears a budget, the start or the end.
 * Rules that involve several fields are checked on the result. Mode, model and advertiser cannot change, so that
 * reports never mix them. Throws `not_found`, `invalid_request`, and `conflict` for an invalid status transition.
 */
export const updateCampaign = operation({
  id: "updateCampaign",
  summary: "Update, pause, resume or end a campaign",
  access: "ads:write",
  input: UpdateCampaign,
  output: Campaign,
  example: { input: { id: campaignExample.id, status: "paused" }, output: { ...campaignExample, status: "paused" } },
  run: async (ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency">, input) => {
    const { db, clock, actor, currency } = ctx;
    const updated = await db.$transaction(async (tx) => {
      await lockCampaign(tx, input.id);
      const before = await ownCampaign({ db: tx, actor }, input.id);
      const wire = campaignOf(before, currency);
      const terms = termsOf(before, input);
      checkTerms(terms);
      if (terms.bidMicros > before.bidMicros) checkBid({ ...before, ...terms }, currency, input.confirm_high_bid);
      if (input.status) checkTransition(before.status, input.status);
      const row = await tx.campaign.update({
        where: { id: before.id },
        data: {
          ...terms,
          ...choicesOf(input),
          ...(input.caps && { caps: input.caps }),
          ...(input.targeting && { targeting: overlay(wire.targeting, input.targeting) }),
          ...(input.keywords && { keywords: input.keywords }),
          ...(input.attribution && { attribution: overlay(wire.attribution, input.attribution) }),
          updatedAt: clock.now(),
        },
      });
      const after = campaignOf(row, currency);
      if (String(after.targeting.locales) !== String(wire.targeting.locales)) await touchProducts(tx, row.id);
      const event = (changed: string[]) => newEvent(campaignUpdated, { ...after, changed }, { mode: row.mode });
      await recordUpdate(tx, ctx, { target: campaignTarget(row), before: wire, after, event });
      return row;
    });
    return toCampaign(ctx, updated);
  },
});

/** The fields that the rules check, with the changes applied. */
const termsOf = (row: CampaignRow, input: UpdateCampaign) => ({
  bidMicros: input.bid_micros === undefined ? row.bidMicros : BigInt(input.bid_micros),
  dailyBudgetMicros: budget(input.daily_budget_micros, row.dailyBudgetMicros),
  totalBudgetMicros: budget(input.total_budget_micros, row.totalBudgetMicros),
  startsAt: input.starts_at === undefined ? row.startsAt : input.starts_at,
  endsAt: input.ends_at === undefined ? row.endsAt : input.ends_at,
});

const choicesOf = (input: UpdateCampaign) => ({
  ...(input.name !== undefined && { name: input.name }),
  ...(input.timezone && { timezone: input.timezone }),
  ...(input.pacing && { pacing: input.pacing }),
  ...(input.reach && { reach: input.reach }),
  ...(input.status && { status: input.status }),
});

function budget(changed: number | null | undefined, before: bigint | null): bigint | null {
  if (changed === undefined) return before;
  return changed === null ? null : BigInt(changed);
}

/** Returns `base` with the defined fields of `changes`. */
const overlay = <T extends object>(base: T, changes: { [K in keyof T]?: T[K] | undefined }): T => ({
  ...base,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
});
