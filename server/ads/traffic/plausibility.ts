import {
  CLICK_RATE_MAX,
  CLICKS_ALWAYS_PLAUSIBLE,
  CLICKS_OF_NETWORK,
  IMPRESSIONS_BASE,
  IMPRESSIONS_OF_NETWORK,
  IMPRESSIONS_PER_NETWORK,
  NAMELESS_SHARE,
} from "../limits";

/** The normal quantile for a one-sided confidence of 99.5 %, which is usual for claims with financial consequences. */
const Z = 2.576;

export interface Allowance {
  minute: number;
  day: number;
  /** The part of the day's impressions that may lack a user id. */
  nameless: number;
}

/**
 * The impressions that a publisher's server may report as billable, by the number of visitors' networks on the channel.
 */
export function impressionsAllowed(networks: number): Allowance {
  const day = IMPRESSIONS_BASE.day + networks * IMPRESSIONS_PER_NETWORK.day;
  const minute = IMPRESSIONS_BASE.minute + networks * IMPRESSIONS_PER_NETWORK.minute;
  return { minute, day, nameless: day * NAMELESS_SHARE };
}

/** The billable clicks of one network on a channel per day; more if many other networks click there too. */
export const clicksOfNetworkAllowed = (networks: number): number =>
  CLICKS_OF_NETWORK.base + networks * CLICKS_OF_NETWORK.perNetwork;

/** The billable impressions that browsers of one network may report on a channel per day. */
export const impressionsOfNetworkAllowed = (networks: number): number =>
  IMPRESSIONS_OF_NETWORK.base + networks * IMPRESSIONS_OF_NETWORK.perNetwork;

/**
 * False if even the lower bound of the click rate (Wilson score interval) exceeds what any placement reaches. Few
 * clicks are always plausible, and a channel without reported impressions has no click rate.
 */
export function isPlausibleClickRate(clicks: number, impressions: number): boolean {
  if (impressions === 0 || clicks <= CLICKS_ALWAYS_PLAUSIBLE) return true;
  return wilsonLowerBound(clicks, Math.max(clicks, impressions)) <= CLICK_RATE_MAX;
}

/** The lower bound of the rate with `hits` of `trials`. */
export function wilsonLowerBound(hits: number, trials: number): number {
  const rate = hits / trials;
  const square = Z ** 2;
  const spread = Z * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials ** 2));
  return (rate + square / (2 * trials) - spread) / (1 + square / trials);
}
