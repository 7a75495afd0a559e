import type { InvertedIndex } from "./inverted-index";
import { nounKind } from "./product-nouns";
import type { QueryTerm, ReadQuery } from "./read-query";
import { isVagueWord } from "./stop-words";
import { alternativesOf } from "./synonyms";

/** What a find of the likely word is worth beside the word itself, in ranking and coverage. */
const LIKELY = 0.8;
/** A longer text with this many unknown words is about something else. */
const CORRECTED_MAX = 3;

/**
 * Gives every word of a query that no document knows, by any of its names, the nearest word that titles have: "labtop"
 * finds laptops. Words that are known to be right, such as names of goods that are not sold here, stay unknown.
 */
export function correctSpelling(query: ReadQuery, index: InvertedIndex): ReadQuery {
  const unknown = query.terms.filter((term) => isUnknown(term, index));
  if (unknown.length === 0 || unknown.length > CORRECTED_MAX) return query;
  return { ...query, terms: query.terms.map((term) => (unknown.includes(term) ? corrected(term, index) : term)) };
}

function isUnknown({ word, written, alternatives = [], spans = [] }: QueryTerm, index: InvertedIndex): boolean {
  if (written === undefined || isVagueWord(written) || nounKind(written) || alternativesOf(word).length > 0)
    return false;
  return [word, ...[...alternatives, ...spans].map((one) => one.word)].every((name) => !index.postings(name));
}

function corrected(term: QueryTerm, index: InvertedIndex): QueryTerm {
  const near = index.vocabulary.nearest([term.written ?? term.word, term.word]);
  if (near === undefined) return term;
  const others = alternativesOf(near).map(({ word, share, coverShare }) => ({
    ...{ word, share: share * LIKELY, coverShare: coverShare * LIKELY },
  }));
  return { ...term, alternatives: [{ word: near, share: LIKELY, coverShare: LIKELY }, ...others] };
}
