import type { QueryTerm } from "./read-query";

const IN_A_ROW = 0.12;

/** 1 or more: how much better an item fits because its title (its words, stemmed) has the query's words beside each other and in order. */
export function titleFactor(words: readonly string[], terms: readonly QueryTerm[]): number {
  if (terms.length < 2) return 1;
  let pairs = 0;
  for (let i = 1; i < terms.length; i++) {
    const [before, after] = [terms[i - 1]?.word, terms[i]?.word];
    if (words.some((word, at) => word === before && words[at + 1] === after)) pairs++;
  }
  return 1 + (IN_A_ROW * pairs) / (terms.length - 1);
}
