import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { type Mode, modeOf } from "../../operation/actor";
import { operation } from "../ads-operation";
import { id, modeChoice, name } from "../fields";
import { ownRows } from "../own-rows";
import { Campaign, campaignOf, campaignTarget, DEFAULT_ATTRIBUTION, NO_TARGETING } from "./campaign";
import { campaignCreated, campaignEvent } from "./campaign.events";
import { campaignExample, newCampaignExample } from "./campaign.example";
import { lockAdvertiser } from "./campaign.sql";
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
  priceModel,
  reach,
  schedule,
  targetingFields,
  timezone,
} from "./campaign-fields";
import { checkBid, checkTerms } from "./campaign-rules";
import { CAMPAIGNS_QUOTA } from "./campaigns.quotas";
import { toCampaign } from "./to-campaigns";

export const CreateCampaign = z.strictObject({
  mode: modeChoice,
  advertiser_id: id,
  name,
  model: priceModel,
  bid_micros: bidMicros,
  confirm_high_bid: confirmHighBid.default(false),
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
 * Creates a campaign for one of the tenant's advertisers of the same mode. Throws `not_found` for the advertiser,
 * `invalid_request` for a budget below the bid, an end that is not after the start or an unconfirmed high bid, and
 * `quota_exceeded`.
 */
export const createCampaign = operation({
  id: "createCampaign",
  summary: "Create a campaign",
  access: "ads:write",
  idempotent: true,
  result: "created",
  quota: CAMPAIGNS_QUOTA,
  input: CreateCampaign,
  output: Campaign,
  example: { input: newCampaignExample, output: campaignExample },
  run: async (
    ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency">,
    { mode: choice, advertiser_id, confirm_high_bid, ...input },
  ) => {
    const { db, clock, actor } = ctx;
    const now = clock.now();
    const columns = columnsOf(input);
    checkTerms(columns);
    checkBid(columns, ctx.currency, confirm_high_bid);
    const mode = modeOf(actor, choice);
    const created = await db.$transaction(async (tx) => {
      await lockAdvertiser(tx, advertiser_id);
      const advertiser = await tx.advertiser.findFirst({ where: { id: advertiser_id, mode, ...ownRows(actor) } });
      if (!advertiser) throw noAdvertiser(advertiser_id, mode);
      const row = await tx.campaign.create({
        data: {
          ...columns,
          id: newId("cmp", now.getTime()),
          tenantId: actor.tenantId,
          mode,
          advertiserId: advertiser.id,
          createdAt: now,
          updatedAt: now,
        },
      });
      const events = [campaignEvent(campaignCreated, campaignOf(row, ctx.currency))];
      await recordAudit(tx, ctx, { action: "campaign.created", targets: [campaignTarget(row)], events });
      return row;
    });
    return toCampaign(ctx, created);
  },
});

const columnsOf = (input: Omit<CreateCampaign, "mode" | "advertiser_id" | "confirm_high_bid">) => ({
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

const noAdvertiser = (id: string, mode: Mode): ServiceError =>
  new ServiceError(
    "not_found",
    `advertiser_id: no ${mode} advertiser has the id "${id.slice(0, 80)}"; create it in ${mode} mode first.`,
    { param: "advertiser_id" },
  );
