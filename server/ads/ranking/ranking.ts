import type { RequestAffinity } from "../auction/term-affinity";
import type { ServingCampaign } from "../serving/serving";
import type { Contender } from "./pick-candidates";

/** What was found for a request; candidates are picked from it by the seed. */
export interface Ranking {
  contenders: readonly Contender[];
  /** The best score among them; relevance is relative to it. */
  bestScore: number;
  /** The words of the query by which clicks are counted (`learnedTerms`). */
  terms: readonly string[];
  /** How often items are clicked for these words; undefined if nothing is known. */
  affinity: RequestAffinity | undefined;
}

export const NOTHING_RANKED: Ranking = { contenders: [], bestScore: 0, terms: [], affinity: undefined };

/** A factor of the click rate; impressions that are paid for as such have none. */
export const affinityOf = (
  { affinity }: Pick<Ranking, "affinity">,
  { model }: ServingCampaign,
  itemId: string,
): number => (affinity === undefined || model === "cpm" ? 1 : affinity.of(itemId));
