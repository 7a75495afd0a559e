import type { WeighedTerm } from "./weigh-terms";

/** More words make a request too rare to learn from. */
const TERMS_MAX = 4;

/**
 * The wanted words by which clicks are counted, in their indexed form, at most 4. Only words that catalogue items have:
 * names and other free text of a query are never stored. A number says too little without the word beside it. Of more
 * words the rarest ones are taken.
 */
export function learnedTerms(wanted: readonly WeighedTerm[]): string[] {
  const known = wanted.filter(({ isKnown, measure }) => isKnown && !measure);
  if (known.length > TERMS_MAX) known.sort((a, b) => b.idf - a.idf).length = TERMS_MAX;
  return known.map(({ form }) => form);
}
