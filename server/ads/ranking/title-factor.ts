import type { QueryTerm } from "./read-query";

const IN_A_ROW = 0.12;

/** 1 or more: how much better an item fits because its title (its words, stemmed) has the query's words beside each other and in order. */
export function titleFactor(words: readonly string[], terms: readonly QueryTerm[]): number {
  if (terms.length < 2) return 1;
  let pairs = 0;
  for (let i = 1; i < terms.length; i++) {
    if (hasPair(words, terms[i - 1]?.word, terms[i]?.word)) pairs++;
  }
  return 1 + (IN_A_ROW * pairs) / (terms.length - 1);
}

function hasPair(words: readonly string[], before: string | undefined, after: string | undefined): boolean {
  for (let at = 1; at < words.length; at++) if (words[at] === after && words[at - 1] === before) return true;
  return false;
}
