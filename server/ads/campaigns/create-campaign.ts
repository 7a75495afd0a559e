import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import { recordAudit } from "../../identity/audit/record-audit";
import { requireRoom } from "../../identity/quotas/require-room";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import type { AdsCtx } from "../ads-ctx";
import { id, modeChoice, name } from "../fields";
import { ownRows } from "../own-rows";
import { type Campaign, campaignOf, campaignTarget, DEFAULT_ATTRIBUTION, NO_TARGETING } from "./campaign";
import { holdAdvertiser } from "./campaign.sql";
import {
  attributionFields,
  bidMicros,
  budgetMicros,
  campaignStatus,
  caps,
  keywords,
  pacing,
  priceModel,
  reach,
  schedule,
  targetingFields,
  timezone,
} from "./campaign-fields";
import { checkTerms } from "./campaign-rules";

export const CreateCampaign = z.strictObject({
  mode: modeChoice,
  advertiser_id: id,
  name,
  model: priceModel,
  bid_micros: bidMicros,
  daily_budget_micros: budgetMicros.default(null),
  total_budget_micros: budgetMicros.default(null),
  starts_at: schedule.default(null),
  ends_at: schedule.default(null),
  timezone: timezone.default("UTC"),
  pacing: pacing.default("even"),
  reach: reach.default("tenant"),
  status: campaignStatus.default("active"),
  caps: caps.default([]),
  targeting: z
    .strictObject({
      geos: targetingFields.geos.default([]),
      devices: targetingFields.devices.default([]),
      locales: targetingFields.locales.default([]),
      placements: targetingFields.placements.default([]),
      categories: targetingFields.categories.default([]),
      channels: targetingFields.channels.default([]),
    })
    .default(NO_TARGETING),
  keywords: keywords.default([]),
  attribution: z
    .strictObject({
      click_days: attributionFields.click_days.default(DEFAULT_ATTRIBUTION.click_days),
      view_days: attributionFields.view_days.default(DEFAULT_ATTRIBUTION.view_days),
    })
    .default(DEFAULT_ATTRIBUTION),
});
type CreateCampaign = z.output<typeof CreateCampaign>;

/**
 * Creates a campaign of one of the tenant's advertisers in the actor's mode. Throws `not_found` for the advertiser,
 * `invalid_request` for budgets below the bid or an end that is not after the start, and `quota_exceeded`.
 */
export function createCampaign(ctx: AdsCtx, { mode, advertiser_id, ...input }: CreateCampaign): Promise<Campaign> {
  const { db, clock, actor, currency } = ctx;
  const now = clock.now();
  const columns = columnsOf(input);
  checkTerms(columns);
  return db.$transaction(async (tx) => {
    await requireRoom(tx, actor, "campaigns");
    await holdAdvertiser(tx, advertiser_id);
    const advertiser = await tx.advertiser.findFirst({ where: { id: advertiser_id, ...ownRows(actor) } });
    if (!advertiser) throw noAdvertiser(advertiser_id);
    const row = await tx.campaign.create({
      data: {
        ...columns,
        id: newId("cmp", now.getTime()),
        tenantId: actor.tenantId,
        mode: modeOf(actor, mode),
        advertiserId: advertiser.id,
        createdAt: now,
        updatedAt: now,
      },
    });
    await recordAudit(tx, ctx, { action: "campaign.created", targets: [campaignTarget(row)] });
    return campaignOf(row, currency);
  });
}

const columnsOf = (input: Omit<CreateCampaign, "mode" | "advertiser_id">) => ({
  name: input.name,
  model: input.model,
  bidMicros: BigInt(input.bid_micros),
  dailyBudgetMicros: input.daily_budget_micros === null ? null : BigInt(input.daily_budget_micros),
  totalBudgetMicros: input.total_budget_micros === null ? null : BigInt(input.total_budget_micros),
  startsAt: input.starts_at,
  endsAt: input.ends_at,
  timezone: input.timezone,
  pacing: input.pacing,
  reach: input.reach,
  status: input.status,
  caps: input.caps,
  targeting: input.targeting,
  keywords: input.keywords,
  attribution: input.attribution,
});

const noAdvertiser = (id: string): ServiceError =>
  new ServiceError("not_found", `advertiser_id: no advertiser has the id "${id.slice(0, 80)}"; create it first.`, {
    param: "advertiser_id",
  });
