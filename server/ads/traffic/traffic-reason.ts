import { uuidv7Ms } from "../../kernel/ids";
import { OFFER_COUNTS_MS, TOO_FAST_MS } from "../limits";
import type { Visitor } from "../visitor";
import { agentReason } from "./agent-reason";

/**
 * Why an event does not count; "" when it does. Such an event costs nothing, claims nothing and stands in reports under
 * its reason: a later valid event of the same offer counts.
 */
export const TRAFFIC_REASONS = {
  head: "Asked for the headers of a click alone: a link checker",
  prefetch: "A browser fetched ahead, nobody had clicked or looked",
  no_agent: "No User-Agent",
  bot: "The User-Agent is no browser's",
  data_center: "The address belongs to a data centre (`SVC_DATA_CENTER_RANGES`)",
  expired: "More than 2 hours after the offer was served",
  too_fast: "Sooner after the offer was served than a person could see or click it",
  rate_limited: "Too many clicks from one address",
  duplicate: "The offer had its first impression or click before",
  over_budget: "The charge did not fit a budget of the campaign any more",
} as const;

export type TrafficReason = keyof typeof TRAFFIC_REASONS;
export type Traffic = "" | TrafficReason;

interface Event {
  offerId: string;
  at: number;
}

/**
 * What speaks against an event before anything else is looked at, the first that holds in the order of TRAFFIC_REASONS:
 * invalid traffic that lists and rules can tell (MRC, Invalid Traffic Detection and Filtration, "general").
 */
export function trafficReason(visitor: Visitor, event: Event): Traffic {
  if (visitor.head) return "head";
  if (visitor.prefetch) return "prefetch";
  const agent = agentReason(visitor.userAgent);
  if (agent !== "") return agent;
  if (visitor.dataCenter) return "data_center";
  return ageReason(event) || (event.at - uuidv7Ms(event.offerId) < TOO_FAST_MS ? "too_fast" : "");
}

/** What holds for every reporter: a publisher's server is believed about who looked, and when within the two hours. */
export const ageReason = ({ offerId, at }: Event): "" | "expired" =>
  at - uuidv7Ms(offerId) > OFFER_COUNTS_MS ? "expired" : "";
