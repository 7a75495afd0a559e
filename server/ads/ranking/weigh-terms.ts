import { generalFrequency } from "../../guard/text/general-words";
import type { InvertedIndex, Postings } from "../matching/inverted-index";
import type { WordCounts } from "../matching/snapshot";
import { bitOf, maskOf, NAMES_KIND } from "../matching/weigh-words";
import { type QueryTerm, SYNONYM_SHARE } from "../query/read-query";

/** Items of the population are counted up to this number; longer lists are extrapolated. */
const COUNTED_MAX = 2000;
/** Items without the word that are always assumed, so that "shoes" keeps some weight in a shop of ten shoes. */
const IMAGINED_ITEMS = 1000;
const SPECIFICITY_MAX = 4;
/** The fields that say what an item is. */
const NAMING = bitOf("title") | bitOf("brand") | bitOf("category");

/** The items among which a decision chooses. */
export interface Population {
  items: number;
  /** Whether a document is one of them; called once per posting, so it must be a table lookup. */
  admits: (doc: number) => boolean;
  /** Returns what was counted for a list before, or counts it. */
  countsOf?: (listId: number, count: () => WordCounts) => WordCounts;
}

/** A term with what the items of the population say about it. */
export interface WeighedTerm extends QueryTerm {
  /** Whether an item has it. */
  isKnown: boolean;
  /** Items that have it in title, brand or category. */
  titles: number;
  /** Inverse document frequency. */
  idf: number;
  /** The share of its titles in which it names what the item is, doubled, at most 1. */
  headShare: number;
  /** The share of general sentences that contain it. */
  general: number;
  /**
   * How much more frequent it is in titles than in general text: the natural logarithm of the ratio, -4 to 4. Above 0
   * for words of goods ("toner"), below for words that occur here by chance ("capital").
   */
  specificity: number;
}

/**
 * Weighs terms by the items that may be offered, not by what other tenants sell; only the share of titles with the word
 * as written is that of all titles. The corrections of specificity for repaired words and numbers come from a study over
 * catalogues of two trades.
 */
export function weighTerms(
  terms: readonly QueryTerm[],
  index: InvertedIndex,
  { items, admits, countsOf = (_, count) => count() }: Population,
): WeighedTerm[] {
  return terms.map((term) => {
    // An item usually has several forms of a word, so the counts of its lists are not added.
    let counts: WordCounts = NONE;
    let titlesOfAll = 0;
    for (const { list } of term.sources) {
      counts = larger(
        counts,
        countsOf(list.id, () => countIn(list, admits)),
      );
      titlesOfAll = Math.max(titlesOfAll, list.titles);
    }
    const { joined } = term;
    if (joined) {
      counts = larger(
        counts,
        countsOf(joined.id, () => countIn(joined, admits)),
      );
    }
    const general = term.measure ? 1 : generalFrequency(term.written);
    const asWritten =
      term.found === "synonym"
        ? SYNONYM_SHARE
        : titlesOfAll > 0
          ? Math.min(1, titlesAsWritten(term, index) / titlesOfAll)
          : 1;
    const isKnown = counts.docs > 0;
    // Fields are copied one by one: a spread is several times slower.
    return {
      written: term.written,
      form: term.form,
      at: term.at,
      found: term.found,
      measure: term.measure,
      language: term.language,
      sources: term.sources,
      joined,
      isKnown,
      titles: counts.titles,
      idf: Math.log(1 + (Math.max(items, counts.docs) + IMAGINED_ITEMS - counts.docs + 0.5) / (counts.docs + 0.5)),
      headShare: Math.min(1, (2 * counts.heads) / Math.max(3, counts.titles)),
      general,
      specificity: specificityOf(term, { isKnown, general, items, titles: counts.titles * asWritten }),
    };
  });
}

interface Use {
  isKnown: boolean;
  general: number;
  items: number;
  /** Titles that have the word as written or in its other number. */
  titles: number;
}

function specificityOf({ found, measure }: QueryTerm, { isKnown, general, items, titles }: Use): number {
  const seen = found === "split" ? Math.max(10, titles) : found === "corrected" ? titles * 0.3 : titles;
  const ratio = Math.log((seen + 0.3) / (items + 1)) - Math.log(general);
  const clipped = Math.min(SPECIFICITY_MAX, Math.max(-SPECIFICITY_MAX, ratio));
  if (found === "joined") return Math.max(1.5, clipped);
  if (!isKnown) return Math.min(-1, clipped);
  if (measure) return Math.min(0.5, Math.max(0, clipped));
  return titles === 0 ? Math.min(0, clipped) : clipped;
}

const NONE: WordCounts = { docs: 0, titles: 0, heads: 0 };
const larger = (a: WordCounts, b: WordCounts): WordCounts => (b.docs > a.docs ? b : a);

function countIn({ pairs, length }: Postings, admits: (doc: number) => boolean): WordCounts {
  let [counted, docs, titles, heads] = [0, 0, 0, 0];
  // The limit applies to items of the population: others may precede all of them in the list.
  for (; counted < length && docs < COUNTED_MAX; counted++) {
    if (!admits(pairs[2 * counted] as number)) continue;
    const mask = maskOf(pairs[2 * counted + 1] as number);
    docs++;
    if (mask & NAMING) titles++;
    if (mask & NAMES_KIND) heads++;
  }
  const scale = counted === 0 ? 0 : length / counted;
  return { docs: docs * scale, titles: titles * scale, heads: heads * scale };
}

/**
 * Titles that have the very word or its other number; an English stem also counts verbs ("print" for "printers"). In
 * other languages every form of a word counts.
 */
function titlesAsWritten({ written: word, language }: QueryTerm, index: InvertedIndex): number {
  if (language !== "en") return Number.POSITIVE_INFINITY;
  const others = [`${word}s`, `${word}es`];
  if (word.endsWith("s")) others.push(word.slice(0, -1));
  if (word.endsWith("es")) others.push(word.slice(0, -2));
  if (word.endsWith("ies")) others.push(`${word.slice(0, -3)}y`);
  if (word.endsWith("y")) others.push(`${word.slice(0, -1)}ies`);
  return others.reduce((sum, other) => sum + index.titleWords.titles(other), index.titleWords.titles(word));
}
