import type { FateReason } from "../ranking/decision";

export type ExplainedReason = FateReason | "frequency_cap" | "caps_unknown" | "consent";

/** Every reason in words for whoever runs the campaign. */
export const REASONS: Readonly<Record<ExplainedReason, string>> = {
  other_tenant: "The campaign serves on its own channels only: its reach is `tenant`.",
  mode: "The campaign and the channel differ in mode: test serves on test channels, live on live ones.",
  status: "The campaign is not active.",
  not_started: "The campaign has not started yet.",
  ended: "The campaign has ended.",
  advertiser_archived: "The campaign's advertiser was deleted.",
  budget_spent: "A budget of the campaign is used up: what is left does not pay for one more event.",
  paced: "The campaign is ahead of its plan for the day and sits this request out to spread its budget.",
  channel: "The campaign targets other channels.",
  channel_category: "The campaign's categories are not among the channel's.",
  blocked_category: "The channel blocks the category.",
  blocked_advertiser: "The channel blocks the advertiser.",
  geo: "The campaign targets other countries.",
  device: "The campaign targets other devices.",
  locale: "The campaign targets other locales.",
  placement: "The campaign targets other placements.",
  out_of_stock: "The product is out of stock.",
  negative_keyword: "A negative keyword of the campaign stands in the query.",
  no_match: "Nothing in the campaign has a word of the request.",
  too_little_in_common: "The item covers too little of what was asked for.",
  below_quality_floor: "The item fits clearly worse than the best one: no bid lifts it over better fits.",
  same_product: "The same product is offered already.",
  same_advertiser: "The advertiser has an offer already, and others fill the places.",
  outranked: "Others have a higher expected value.",
  frequency_cap: "This user has seen the campaign as often as a frequency cap allows.",
  caps_unknown: "The campaign has frequency caps, which are being counted anew; it serves again in a moment.",
  consent: "The campaign has frequency caps, and nothing may be remembered about this visitor.",
};
