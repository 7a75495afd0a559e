import type { TrafficReason } from "../../../../server/ads/traffic/traffic-reason";

type Traffic = TrafficReason | "valid";

/** Short enough for a column: what a report calls each kind of traffic. */
const NAMES: Readonly<Record<Traffic, string>> = {
  valid: "Valid",
  head: "Link checkers",
  prefetch: "Fetched ahead",
  no_agent: "No User-Agent",
  bot: "Bots",
  data_center: "Data centers",
  expired: "Too late",
  too_fast: "Too fast",
  rate_limited: "Too many clicks",
  implausible_rate: "Too many reports",
  implausible_click_rate: "Click rate high",
  implausible_spread: "Too few networks",
  duplicate: "Repeated",
  over_budget: "Over budget",
  no_balance: "Balance used up",
};

const MEANINGS: Readonly<Record<Traffic, string>> = {
  valid: "Counts in every figure, and is what is paid for.",
  head: "A request for the headers of a click only, as link checkers send.",
  prefetch: "A browser prefetched the link without a click or a view.",
  no_agent: "The program did not say what it is, as every browser does.",
  bot: "The program says that it is not a browser.",
  data_center: "The address belongs to a data center, not to a reader.",
  expired: "It came more than 2 hours after the offer was served.",
  too_fast: "It came sooner after serving than a person could see or click the offer.",
  rate_limited: "One address clicked more often than people do.",
  implausible_rate: "The publisher's server reported more impressions than the channel's visitors explain.",
  implausible_click_rate: "The channel had more clicks than any placement gets for the impressions that it reported.",
  implausible_spread: "More came from one network than the channel's other visitors explain.",
  duplicate: "The offer had its first impression or click before; only the first one counts.",
  over_budget: "A budget of the campaign was used up, so the event was not charged.",
  no_balance: "The prepaid balance of the campaign's tenant was used up, so the event was not charged.",
};

const isKnown = (traffic: string): traffic is Traffic => Object.hasOwn(NAMES, traffic);

/** The name of a report's `traffic`; an unknown reason is shown as the API names it. */
export const trafficName = (traffic: string): string => (isKnown(traffic) ? NAMES[traffic] : traffic);

/** A sentence on it; undefined where this page knows none. */
export const trafficMeaning = (traffic: string): string | undefined =>
  isKnown(traffic) ? MEANINGS[traffic] : undefined;
