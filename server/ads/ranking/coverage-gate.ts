import type { Intent } from "./read-query";

/**
 * The share of a query's meaning (its words weighed by rarity) that the best item must have before anything is offered,
 * by what the asking words say: a question about the world must be covered almost wholly, while "I need a laptop for
 * college" names what it wants in one of its words. Tuned on test/bench/relevance.ts.
 */
const BEST_COVERAGE_NEEDED: Readonly<Record<Intent, number>> = { ask: 0.75, plain: 0.55, buy: 0.5 };
const CONTEXT_COVERAGE_NEEDED = 0.3;
/** Beside the best one, an item needs this share of its coverage. */
export const SHARE_OF_BEST_NEEDED = 0.45;

/** What is judged: the text that decides, and how many words of it carry meaning. */
export interface Asked {
  source: "query" | "context" | "signal";
  intent: Intent;
  terms: readonly unknown[];
}

/** The least coverage of an item that may be offered beside a best one, or undefined when nothing may be. */
export function coverageNeeded(best: number, { source, intent, terms }: Asked): number | undefined {
  // One word of a question ("how to tie a tie") says too little about a wish.
  if (source === "query" && intent === "ask" && terms.length < 2) return undefined;
  const needed = source === "query" ? BEST_COVERAGE_NEEDED[intent] : CONTEXT_COVERAGE_NEEDED;
  return best < needed ? undefined : best * SHARE_OF_BEST_NEEDED;
}
