import type { TrafficReason } from "../../../server/ads/traffic/traffic-reason";

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
  duplicate: "Repeated",
  over_budget: "Over budget",
};

const MEANINGS: Readonly<Record<Traffic, string>> = {
  valid: "Counts in every figure, and is what is paid for.",
  head: "Somebody asked for a click's headers alone, as link checkers do.",
  prefetch: "A browser fetched the link ahead of time: nobody had clicked or looked.",
  no_agent: "The program did not say what it is, as every browser does.",
  bot: "The program says that it is not a browser.",
  data_center: "The address belongs to a data center, where nobody reads pages.",
  expired: "It came more than 2 hours after the offer was served.",
  too_fast: "It came sooner after serving than a person could see or click the offer.",
  rate_limited: "One address clicked more often than people do.",
  duplicate: "The offer had its first impression or click before; only the first one counts.",
  over_budget: "A budget of the campaign was used up, so the event was not charged.",
};

const isKnown = (traffic: string): traffic is Traffic => Object.hasOwn(NAMES, traffic);

/** The name of a report's `traffic`; a reason that this page does not know yet stands as the API names it. */
export const trafficName = (traffic: string): string => (isKnown(traffic) ? NAMES[traffic] : traffic);

/** A sentence on it; undefined where this page knows none. */
export const trafficMeaning = (traffic: string): string | undefined =>
  isKnown(traffic) ? MEANINGS[traffic] : undefined;
