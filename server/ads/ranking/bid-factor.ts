import type { ServingCampaign } from "./serving";

/** A click counts as this many impressions when cpc and cpm bids are compared (a click-through rate of 1 %). */
const IMPRESSIONS_PER_CLICK = 100;
const INFLUENCE_MAX = 0.06;
/** In micros for a thousand impressions: a bid of 10 has half of the whole influence. */
const HALF_INFLUENCE_MICROS = 10_000_000;

export const BID_FACTOR_MAX = 1 + INFLUENCE_MAX;

/** 1 to 1.06: a higher bid wins among near-equals and never lifts an item over one that fits clearly better. */
export function bidFactor({ model, bidMicros }: Pick<ServingCampaign, "model" | "bidMicros">): number {
  const perThousand = model === "cpm" ? Number(bidMicros) : (Number(bidMicros) * 1000) / IMPRESSIONS_PER_CLICK;
  return 1 + (INFLUENCE_MAX * perThousand) / (perThousand + HALF_INFLUENCE_MICROS);
}
