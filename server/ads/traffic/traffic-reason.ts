import { agentReason } from "../../guard/bots/agent-reason";
import { uuidv7Ms } from "../../kernel/ids";
import { OFFER_COUNTS_MS, TOO_FAST_MS } from "../limits";
import type { Visitor } from "../visitor";

/**
 * Why an event does not count; empty if it does. An invalid event is free of charge and does not mark the offer as
 * counted, so a later valid event of the same offer counts. Reports list it under its reason.
 */
export const TRAFFIC_REASONS = {
  head: "A request for only the headers of a click, as link checkers send",
  prefetch: "Reported by a page that a browser had loaded in advance and not shown",
  no_agent: "No User-Agent",
  bot: "The User-Agent is not a browser",
  data_center: "The IP address belongs to a data center (`SVC_DATA_CENTER_RANGES`)",
  expired: "More than 2 hours after the offer was served",
  too_fast: "Too soon after the offer was served for a person to see or click it",
  rate_limited: "Too many clicks from one IP address",
  implausible_rate: "More impressions reported by the publisher's server than the channel's visitors can explain",
  implausible_click_rate: "More clicks than any placement reaches with the impressions that the channel reported",
  implausible_spread: "More clicks or impressions from one network than the channel's other visitors can explain",
  duplicate: "The first impression or click of the offer was already counted",
  over_budget: "The charge exceeds a budget of the campaign",
  no_balance: "The charge exceeds the prepaid balance of the campaign's tenant",
} as const;

export type TrafficReason = keyof typeof TRAFFIC_REASONS;
export type Traffic = "" | TrafficReason;

interface Event {
  offerId: string;
  at: number;
}

/**
 * The reason against an event that visitor data alone shows, the first one in the order of TRAFFIC_REASONS: general
 * invalid traffic, which lists and rules detect (MRC, Invalid Traffic Detection and Filtration).
 */
export function trafficReason(visitor: Visitor, event: Event): Traffic {
  if (visitor.head) return "head";
  if (visitor.prefetch) return "prefetch";
  const agent = agentReason(visitor.userAgent);
  if (agent !== "") return agent;
  if (visitor.dataCenter) return "data_center";
  return ageReason(event) || (event.at - uuidv7Ms(event.offerId) < TOO_FAST_MS ? "too_fast" : "");
}

/**
 * The check for all reporters. A publisher's server is trusted about who viewed an offer, and when within the two
 * hours, as long as the traffic is plausible.
 */
export const ageReason = ({ offerId, at }: Event): "" | "expired" =>
  at - uuidv7Ms(offerId) > OFFER_COUNTS_MS ? "expired" : "";

/** The ids of channels whose traffic is simulated begin with this; only the demo account has such channels. */
export const SIMULATED_CHANNELS = "chn_0simulated";
