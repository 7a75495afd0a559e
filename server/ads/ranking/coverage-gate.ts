import type { Intent } from "./read-intent";

/**
 * The share of a query's meaning (its words weighed by rarity) that the best item must have before anything is offered,
 * by what the asking words say. `ofKind` holds for items that are what the query's noun names, `named` for items that
 * merely have the noun: "I need a laptop for college" is about laptops though no laptop says "college", while a "light
 * novel" is not about lights. An item without the noun opens nothing. Tuned on the development half of
 * test/bench/silence.ts.
 */
const BEST_COVERAGE_NEEDED: Readonly<Record<Intent, Omit<Coverage, "other">>> = {
  ask: { ofKind: 0.7, named: 0.95 },
  plain: { ofKind: 0.65, named: 0.69 },
  buy: { ofKind: 0.5, named: 0.69 },
};
const CONTEXT_COVERAGE_NEEDED = 0.3;
/** Beside the best one, an item needs this share of its coverage. */
export const SHARE_OF_BEST_NEEDED = 0.45;

/** The highest coverage, 0 to 1, among items that are what the query's noun names, that have the noun, and all others. */
export interface Coverage {
  ofKind: number;
  named: number;
  other: number;
}

/** What is judged: the text that decides, and how many words of it carry meaning. */
export interface Asked {
  source: "query" | "context" | "signal";
  intent: Intent;
  terms: readonly unknown[];
}

/** The least coverage of an item that may be offered beside the best ones, or undefined when nothing may be. */
export function coverageNeeded(best: Coverage, { source, intent, terms }: Asked): number | undefined {
  // One word of a question ("how to tie a tie") says too little about a wish.
  if (source === "query" && intent === "ask" && terms.length < 2) return undefined;
  const highest = Math.max(best.ofKind, best.named, best.other);
  const needed = BEST_COVERAGE_NEEDED[intent];
  const passes =
    source === "query"
      ? best.ofKind >= needed.ofKind || best.named >= needed.named
      : highest >= CONTEXT_COVERAGE_NEEDED;
  return passes ? highest * SHARE_OF_BEST_NEEDED : undefined;
}
