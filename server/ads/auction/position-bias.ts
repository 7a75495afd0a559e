import { OFFERS_MAX } from "../serving/offer-request";

/** How likely a visitor looks at the offer at each position of a response, relative to the first one, which has 1. */
export type PositionBias = readonly number[];

/** Counts by position; `impressions` and `clicks` are equally long, and may have a fraction because old events fade. */
export interface PositionCounts {
  impressions: readonly number[];
  clicks: readonly number[];
}

/**
 * Assumed without data: 1 / sqrt(position). That is less steep than the 1 / position of Joachims, Swaminathan and
 * Schnabel 2017, because an impression counts only if the offer was visible.
 */
export const USUAL_BIAS: PositionBias = Array.from({ length: OFFERS_MAX }, (_, at) => (at + 1) ** -0.5);
/** The counts of a position weigh as much as what is assumed after this many clicks. */
const PRIOR_CLICKS = 20;
const ROUNDS = 20;
/** A few numbers are estimated; more cells take longer and change little. */
const CELLS_MAX = 3000;

/**
 * Estimates position bias from items that were shown at several positions, because a single position does not tell a
 * good item from a good place (intervention harvesting: Agarwal et al. 2019; position-based model: Wang et al. 2018).
 * Clicks are a Poisson regression: expected clicks = impressions x attractiveness of the cell x bias of the position.
 * Attractiveness and bias are computed alternately, which maximises the likelihood. Each cell is one item for one word
 * on one channel, so that items that are shown high for the words they fit do not distort the bias.
 */
export function estimatePositionBias(cells: readonly PositionCounts[], prior: PositionBias): PositionBias {
  const telling = cells.filter(isTelling).slice(0, CELLS_MAX);
  if (telling.length === 0) return prior;
  let bias = prior;
  for (let round = 0; round < ROUNDS; round++) bias = nextBias(telling, bias, prior);
  return bias;
}

/** Whether a cell was clicked and shown at several positions. */
const isTelling = ({ impressions, clicks }: PositionCounts): boolean =>
  impressions.filter((count) => count > 0).length > 1 && clicks.some((count) => count > 0);

function nextBias(cells: readonly PositionCounts[], bias: PositionBias, prior: PositionBias): PositionBias {
  const clicked = prior.map(() => PRIOR_CLICKS);
  const expected = prior.map((share) => PRIOR_CLICKS / share);
  for (const { impressions, clicks } of cells) {
    const rate = totalOf(clicks) / examined(impressions, bias);
    for (let at = 0; at < expected.length; at++) {
      clicked[at] = (clicked[at] as number) + (clicks[at] ?? 0);
      expected[at] = (expected[at] as number) + (impressions[at] ?? 0) * rate;
    }
  }
  const raw = clicked.map((count, at) => count / (expected[at] as number));
  return raw.map((share) => share / (raw[0] as number));
}

/** Impressions in units of those at the first position. */
export function examined(impressions: readonly number[], bias: PositionBias): number {
  let sum = 0;
  for (let at = 0; at < bias.length; at++) sum += (impressions[at] ?? 0) * (bias[at] as number);
  return sum;
}

export function totalOf(counts: readonly number[]): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}
