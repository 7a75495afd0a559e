import { z } from "zod";
import type { Campaign as CampaignRow, Prisma } from "../../engines/postgres/generated/client";
import { targetOf } from "../../identity/audit/record-audit";
import { notFound, ServiceError } from "../../kernel/errors";
import type { Actor } from "../../operation/actor";
import { mode } from "../fields";
import { NETWORK_BLOCKS } from "../network/network-blocks";
import { ownRowsOfMode, ownRowsOrArchived } from "../own-rows";
import { Cap, campaignStatus, pacing, priceModel, reach } from "./campaign-fields";

const Targeting = z.object({
  geos: z.array(z.string()),
  devices: z.array(z.enum(["desktop", "mobile", "tablet"])),
  locales: z.array(z.string()),
  placements: z.array(z.string()),
  categories: z.array(z.string()),
  channels: z.array(z.string()),
});
const Keyword = z.object({ text: z.string(), match: z.enum(["exact", "phrase", "broad", "negative"]) });
const Attribution = z.object({ click_days: z.int(), view_days: z.int() });

/** What an advertiser pays for: bids, budgets, and where and when creatives and products may serve. */
export const Campaign = z
  .object({
    id: z.string().meta({ examples: ["cmp_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    mode,
    advertiser_id: z.string(),
    name: z.string(),
    model: priceModel,
    currency: z
      .string()
      .describe("The installation's billing currency (ISO 4217); the currency of all `_micros` fields"),
    bid_micros: z.int(),
    daily_budget_micros: z.int().nullable(),
    total_budget_micros: z.int().nullable(),
    starts_at: z.iso.datetime().nullable(),
    ends_at: z.iso.datetime().nullable(),
    timezone: z.string().describe("The time zone in which a day of the daily budget begins and ends"),
    pacing,
    reach,
    status: campaignStatus,
    caps: z.array(Cap),
    targeting: Targeting.describe("An empty list means all"),
    keywords: z.array(Keyword),
    attribution: Attribution,
    items: z.int().describe("Creatives and products that are not archived; a campaign without any serves nothing"),
    network: z
      .object({ serving: z.boolean(), blocked_by: z.array(z.enum(NETWORK_BLOCKS)) })
      .nullable()
      .describe(
        "Whether the campaign may serve on channels of other tenants, and the reasons why not; null with reach `tenant`",
      ),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Campaign" });
export type Campaign = z.infer<typeof Campaign>;
/** The part that comes from the campaign's own row. */
export type CampaignFields = Omit<Campaign, "items" | "network">;

export const NO_TARGETING: Campaign["targeting"] = {
  geos: [],
  devices: [],
  locales: [],
  placements: [],
  categories: [],
  channels: [],
};
export const DEFAULT_ATTRIBUTION: Campaign["attribution"] = { click_days: 30, view_days: 1 };

/**
 * The API form without `items` and `network`, which are not columns. The four JSON columns have API shapes, in which fields may be
 * missing.
 */
export const campaignOf = (row: CampaignRow, currency: string): CampaignFields => ({
  id: row.id,
  mode: row.mode,
  advertiser_id: row.advertiserId,
  name: row.name,
  model: row.model,
  currency,
  bid_micros: Number(row.bidMicros),
  daily_budget_micros: row.dailyBudgetMicros === null ? null : Number(row.dailyBudgetMicros),
  total_budget_micros: row.totalBudgetMicros === null ? null : Number(row.totalBudgetMicros),
  starts_at: row.startsAt?.toISOString() ?? null,
  ends_at: row.endsAt?.toISOString() ?? null,
  timezone: row.timezone,
  pacing: row.pacing,
  reach: row.reach,
  status: row.status,
  caps: row.caps as Campaign["caps"],
  targeting: { ...NO_TARGETING, ...(row.targeting as Partial<Campaign["targeting"]>) },
  keywords: row.keywords as Campaign["keywords"],
  attribution: { ...DEFAULT_ATTRIBUTION, ...(row.attribution as Partial<Campaign["attribution"]>) },
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const campaignTarget = targetOf("campaign");

/**
 * Returns the actor's campaign with this id. Throws `not_found` also if it is archived, belongs to another tenant or
 * has another mode.
 */
export async function ownCampaign(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  id: string,
): Promise<CampaignRow> {
  const row = await db.campaign.findFirst({ where: { id, ...ownRowsOfMode(actor) } });
  if (!row) throw notFound("campaign", id);
  return row;
}

/** Like `ownCampaign`, but an archived campaign is found too. */
export async function ownCampaignOrArchived(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  id: string,
): Promise<CampaignRow> {
  const row = await db.campaign.findFirst({ where: { id, ...ownRowsOrArchived(actor) } });
  if (!row) throw notFound("campaign", id);
  return row;
}

/** Something of an archived campaign cannot be restored without it. */
export const campaignArchived = (noun: "creative" | "product", campaignId: string): ServiceError =>
  new ServiceError("conflict", `The campaign of this ${noun} is archived; restore the campaign first.`, {
    param: "id",
    details: { reason: "campaign_archived", campaign_id: campaignId },
  });
