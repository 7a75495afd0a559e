import type { OutcomeReason } from "../ranking/decision";

export type ExplainedReason = OutcomeReason | "frequency_cap" | "caps_unknown" | "consent";

/** A description of every reason, for the campaign's owner. */
export const REASONS: Readonly<Record<ExplainedReason, string>> = {
  other_tenant: "The campaign serves on its own channels only: its reach is `tenant`.",
  channel_suspended: "The operator suspended other tenants' campaigns on this channel.",
  blocked_channel: "The campaign's advertiser blocks the channel.",
  publisher_choice: "The publisher of the channel does not allow network campaigns of this advertiser.",
  email_unverified: "No owner of the campaign's account has verified an email address.",
  advertiser_not_approved: "The campaign's advertiser is not approved for other publishers' channels.",
  no_balance: "The prepaid balance does not cover one more event at the campaign's bid.",
  mode: "The campaign and the channel have different modes: test campaigns serve only on test channels, live campaigns only on live channels.",
  status: "The campaign is not active.",
  not_started: "The campaign has not started yet.",
  ended: "The campaign has ended.",
  advertiser_archived: "The campaign's advertiser was deleted.",
  budget_spent: "A budget of the campaign is used up: the rest does not cover one more event.",
  paced: "The campaign is ahead of its plan and skips this request to spread its budget.",
  channel: "The campaign targets other channels.",
  channel_category: "The campaign's categories are not among the channel's.",
  blocked_category: "The channel blocks the category.",
  blocked_advertiser: "The channel blocks the advertiser.",
  geo: "The campaign targets other countries.",
  device: "The campaign targets other devices.",
  locale: "The campaign targets other locales.",
  placement: "The campaign targets other placements.",
  out_of_stock: "The product is out of stock.",
  negative_keyword: "A negative keyword of the campaign is in the query.",
  no_match: "No item of the campaign has a word of the request.",
  catalog_full:
    "No loaded item of the campaign has a word of the request. The server does not have enough memory for all items, so only some items of the largest accounts are loaded. Archive items that you do not need, or ask the operator of svc to increase SVC_CATALOG_MIB.",
  unlikely_fit:
    "The request did not reach the threshold. For a query, the probability that an item fits it is lower than the channel's strictness requires; for a page or a signal, even the best item covers too little of it.",
  too_little_in_common:
    "The item covers much less of the request than the best one, or lacks the noun that others have and the channel is strict.",
  below_quality_floor:
    "The item matches much worse than the best one, or lacks the noun that others have, so it ranks below better matches whatever its bid.",
  same_product: "The same product, or a variant of it, is already offered.",
  same_advertiser: "The advertiser already has an offer, and other advertisers fill the remaining places.",
  outranked: "Other items have a higher expected value.",
  frequency_cap: "The user has seen the campaign as often as a frequency cap allows.",
  caps_unknown: "The campaign has frequency caps, which are being rebuilt; it serves again shortly.",
  consent: "The campaign has frequency caps, and this visitor's consent does not allow them.",
};
