import { z } from "zod";
import type { Campaign as CampaignRow, Prisma } from "../../engines/postgres/generated/client";
import type { Actor } from "../../identity/actors/actor";
import type { AuditTarget } from "../../identity/audit/record-audit";
import { notFound } from "../../kernel/errors";
import { mode } from "../fields";
import { ownRowsOfMode } from "../own-rows";
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

/** What an advertiser pays for: bids, budgets, where and when its creatives and products may serve. */
export const Campaign = z
  .object({
    id: z.string().meta({ examples: ["cmp_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    mode,
    advertiser_id: z.string(),
    name: z.string(),
    model: priceModel,
    currency: z.string().describe("The installation's billing currency (ISO 4217); all micros are of it"),
    bid_micros: z.int(),
    daily_budget_micros: z.int().nullable(),
    total_budget_micros: z.int().nullable(),
    starts_at: z.iso.datetime().nullable(),
    ends_at: z.iso.datetime().nullable(),
    timezone: z.string().describe("Where the daily budget's day begins"),
    pacing,
    reach,
    status: campaignStatus,
    caps: z.array(Cap),
    targeting: Targeting.describe("An empty list means all"),
    keywords: z.array(Keyword),
    attribution: Attribution,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Campaign" });
export type Campaign = z.infer<typeof Campaign>;

export const NO_TARGETING: Campaign["targeting"] = {
  geos: [],
  devices: [],
  locales: [],
  placements: [],
  categories: [],
  channels: [],
};
export const DEFAULT_ATTRIBUTION: Campaign["attribution"] = { click_days: 30, view_days: 1 };

/** The wire form; its four JSON columns hold wire shapes, of which a row made elsewhere may leave parts out. */
export const campaignOf = (row: CampaignRow, currency: string): Campaign => ({
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

export const campaignTarget = ({ id, name }: Pick<CampaignRow, "id" | "name">): AuditTarget => ({
  type: "campaign",
  id,
  name,
});

/** The actor's live campaign with this id. Throws `not_found` for a foreign, archived or other-mode one too. */
export async function ownCampaign(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  id: string,
): Promise<CampaignRow> {
  const row = await db.campaign.findFirst({ where: { id, ...ownRowsOfMode(actor) } });
  if (!row) throw notFound("campaign", id);
  return row;
}
