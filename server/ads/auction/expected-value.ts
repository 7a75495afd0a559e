import type { ServingCampaign } from "../ranking/serving";
import type { ClickRate } from "./click-rates";

/** An offer that covers less than this share of what the best one covers stands behind all that cover more, whatever it bids. */
export const QUALITY_FLOOR = 0.7;

/**
 * 1 for the best score of a decision, falling with the sixth power of the share of it that an item has, so that an offer
 * with nine tenths of the best score needs about twice the bid; above 1 where a closer look raised the score.
 */
export function relevanceOf(score: number, best: number): number {
  if (best <= 0) return 0;
  const square = (score / best) * (score / best);
  return square * square * square;
}

/** What a thousand impressions of a perfectly relevant offer bring for each micro of its bid: its clicks, or one under cpm. */
export const worthPerMicro = (model: ServingCampaign["model"], { rate, exploration }: ClickRate): number =>
  model === "cpm" ? 1 : 1000 * rate * exploration;

/**
 * Expected values as one order: above the quality floor by value, everything below the floor behind them, by value as
 * well (-1/v rises with v and is always negative).
 */
export const rankValueOf = (value: number, isAboveFloor: boolean): number =>
  isAboveFloor ? value : -1 / Math.max(value, Number.MIN_VALUE);
