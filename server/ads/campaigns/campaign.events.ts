import { z } from "zod";
import { type NewEvent, newEvent } from "../../identity/events/record-event";
import { eventKind, eventsOf } from "../../operation/event-kind";
import { Campaign, type CampaignFields } from "./campaign";
import { campaignExample } from "./campaign.example";

/** Without the lists of targeting and keywords, which may be long. */
const CampaignTerms = Campaign.pick({
  id: true,
  mode: true,
  advertiser_id: true,
  name: true,
  model: true,
  currency: true,
  bid_micros: true,
  daily_budget_micros: true,
  total_budget_micros: true,
  starts_at: true,
  ends_at: true,
  timezone: true,
  pacing: true,
  reach: true,
  status: true,
});
const example = CampaignTerms.parse(campaignExample);

const eventOf = eventsOf(CampaignTerms, example);

export const campaignCreated = eventOf("campaign.created", "A campaign was created.");

export const campaignUpdated = eventKind({
  type: "campaign.updated",
  description: "A campaign was updated, paused, resumed or ended.",
  data: CampaignTerms.extend({
    changed: z
      .array(z.string())
      .describe("The names of the changed fields, which may be others than those listed here"),
  }),
  example: { ...example, status: "paused", changed: ["status"] },
});

export const campaignArchived = eventOf("campaign.archived", "A campaign was archived.");

export const campaignRestored = eventOf("campaign.restored", "An archived campaign was restored.");

export const campaignEventKinds = [campaignCreated, campaignUpdated, campaignArchived, campaignRestored];

type PlainKind = typeof campaignCreated;

/** The event of a change of a campaign, in the mode of the campaign. */
export const campaignEvent = (kind: PlainKind, campaign: CampaignFields): NewEvent =>
  newEvent(kind, campaign, { mode: campaign.mode });
