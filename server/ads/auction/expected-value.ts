import type { ServingCampaign } from "../serving/serving";
import type { ClickRate } from "./click-rates";

/**
 * An offer with less than this share of the best offer's coverage ranks below all offers with more, whatever its bid.
 */
export const QUALITY_FLOOR = 0.7;

/**
 * 1 for the best score of a decision. It falls with the sixth power of an item's share of that score, so an offer with
 * nine tenths of the best score needs about twice the bid. It exceeds 1 if a closer check raised the score.
 */
export function relevanceOf(score: number, best: number): number {
  if (best <= 0) return 0;
  const square = (score / best) * (score / best);
  return square * square * square;
}

/**
 * What a thousand impressions of a perfectly relevant offer earn per micro of its bid: its clicks, or one under cpm.
 */
export const worthPerMicro = (model: ServingCampaign["model"], { rate, exploration }: ClickRate): number =>
  model === "cpm" ? 1 : 1000 * rate * exploration;

/**
 * Maps expected values to one sort key: offers above the quality floor by value, then everything below it by value
 * (-1/v rises with v and is always negative).
 */
export const rankValueOf = (value: number, isAboveFloor: boolean): number =>
  isAboveFloor ? value : -1 / Math.max(value, Number.MIN_VALUE);
