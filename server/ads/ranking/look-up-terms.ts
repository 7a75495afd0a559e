import { HAS_NOUN, OF_KIND } from "./accumulators";
import { bitOf, FIELDS, type Field, type InvertedIndex, KIND_KNOWN, type Postings } from "./inverted-index";
import type { QueryTerm } from "./read-query";
import type { Alternative } from "./synonyms";

/** An item that says it is something else than what the query's noun names: a "laptop bag" for "laptop". Tuned on test/bench/relevance.ts. */
const OTHER_KIND = 0.6;
/** A word names a kind of item here when it does so in this share of the titles it stands in. */
const KIND_SHARE_NEEDED = 0.05;
/** Another brand's item that mentions the brand asked for. */
const OTHER_BRAND = 0.6;
/** A word is a brand here when it is one in this share of the items it stands in. */
const BRAND_SHARE_NEEDED = 0.25;
/** A describing word ranks at two thirds, whatever little it says about the gate. */
const DESCRIBING_SHARE = 0.67;
const DESCRIBES_BELOW = 0.4;

/** A list of postings, with what it adds. */
export interface Lookup {
  list: Postings;
  scoreWeight: number;
  coverWeight: number;
  /** Multiplies the score, by the posting's mask. */
  factors: Float32Array;
  /** How much of the word's meaning a document covers, by the posting's mask. */
  telling: Float32Array;
  /** Added to what is known of the document (`HAS_NOUN`, `OF_KIND`), by the posting's mask. */
  marks: Uint8Array;
}

/** Words for one thing: a document counts the best of them. */
export interface LookupGroup {
  lookups: readonly Lookup[];
  /** Postings of all of them. */
  length: number;
  coverWeight: number;
}

const MASKS = 2 << FIELDS.length;
const EVENLY = new Float32Array(MASKS).fill(1);
/** Whether a posting says what its item is: where the kind is known the kind alone, for a category also tells what an item goes with. */
const saysKind = (mask: number): boolean =>
  (mask & (mask & KIND_KNOWN ? bitOf("kind") : bitOf("kind") | bitOf("category"))) !== 0;
const BY_KIND = Float32Array.from({ length: MASKS }, (_, mask) =>
  mask & (bitOf("kind") | bitOf("category")) || !(mask & KIND_KNOWN) ? 1 : OTHER_KIND,
);
/** An item is what a word names that says its kind, its brand or a keyword of its campaign. */
const MARKS_NOUN = Uint8Array.from({ length: MASKS }, (_, mask) =>
  saysKind(mask) || mask & (bitOf("brand") | bitOf("keywords")) ? HAS_NOUN | OF_KIND : HAS_NOUN,
);
const MARKS_NOTHING = new Uint8Array(MASKS);
const BY_BRAND = Float32Array.from({ length: MASKS }, (_, mask) => (mask & bitOf("brand") ? 1 : OTHER_BRAND));

/** The lists of all terms in groups, and the weight that a document would cover if it had every term in its title. */
export function lookUpTerms(
  index: InvertedIndex,
  terms: readonly QueryTerm[],
  weight: number,
): { groups: LookupGroup[]; coverable: number } {
  const named = terms.map((term) => {
    const words = listsOf(index, [{ word: term.word, share: 1, coverShare: 1 }, ...(term.alternatives ?? [])]);
    return { term, words, idf: index.idf(lengthOf(words)), describes: term.weight < DESCRIBES_BELOW };
  });
  // What describes a thing never says more than the thing's own name, however rare a word it is.
  const ceiling = Math.max(...named.map(({ idf, describes }) => (describes ? 0 : idf))) || Number.POSITIVE_INFINITY;
  const covers = named.map(({ term, idf, describes }) => (describes ? Math.min(idf, ceiling) : idf) * term.weight);
  const groups: LookupGroup[] = [];
  for (const [at, { term, words, idf, describes }] of named.entries()) {
    const score = idf * weight * (describes ? DESCRIBING_SHARE : 1);
    if (words.length > 0) groups.push(groupOf(words, { score, cover: covers[at] ?? 0, term }));
    const spans = listsOf(index, term.spans ?? []);
    if (spans.length === 0) continue;
    const reach = Math.max(...spans.map(({ terms: spanned = 1 }) => spanned));
    const spanned = covers.slice(Math.max(0, at + 1 - reach), at + 1).reduce((sum, one) => sum + one, 0);
    groups.push(groupOf(spans, { score: index.idf(lengthOf(spans)) * weight, cover: spanned, term }));
  }
  return { groups, coverable: covers.reduce((sum, cover) => sum + cover, 0) };
}

interface Found extends Omit<Alternative, "word"> {
  list: Postings;
  terms?: number | undefined;
}

const listsOf = (index: InvertedIndex, words: readonly (Alternative & { terms?: number })[]): Found[] =>
  words.flatMap(({ word, share, coverShare, terms }) => {
    const list = index.postings(word);
    return list ? [{ list, share, coverShare, terms }] : [];
  });

const lengthOf = (found: readonly Found[]): number => found.reduce((sum, { list }) => sum + list.length, 0);

/** How sure a word in a field makes us that the item is about it. */
const FIELD_TELLS: Readonly<Record<Field, number>> = {
  title: 1,
  brand: 0.8,
  category: 1,
  description: 0.6,
  attributes: 0.5,
  keywords: 1,
  kind: 1,
};
/** The text of an item whose name does not tell what it is, such as a slogan, tells more. */
const DESCRIPTION_OF_UNKNOWN_TELLS = 0.8;
/** A noun in the name of something else: a doll's bag, a laptop's battery. */
const OTHER_KIND_TELLS = 0.75;
const TELLING = Float32Array.from({ length: MASKS }, (_, mask) => {
  const unknown = mask & bitOf("description") && !(mask & KIND_KNOWN) ? DESCRIPTION_OF_UNKNOWN_TELLS : 0;
  return Math.max(unknown, ...FIELDS.map((field) => (mask & bitOf(field) ? FIELD_TELLS[field] : 0)));
});
const TELLING_BY_KIND = TELLING.map((tells, mask) =>
  mask & KIND_KNOWN && !saysKind(mask) ? tells * OTHER_KIND_TELLS : tells,
);

function groupOf(
  found: readonly Found[],
  { score, cover, term }: { score: number; cover: number; term: QueryTerm },
): LookupGroup {
  const factors = factorsOf(term, found);
  const marks = term.isHead ? MARKS_NOUN : MARKS_NOTHING;
  const telling = factors === BY_KIND ? TELLING_BY_KIND : TELLING;
  const lookups = found.map(({ list, share, coverShare }) => ({
    list,
    factors,
    marks,
    telling,
    scoreWeight: score * share,
    coverWeight: cover * coverShare,
  }));
  return { lookups, length: lengthOf(found), coverWeight: cover };
}

function factorsOf({ isHead }: QueryTerm, found: readonly Found[]): Float32Array {
  let [length, titles, kinds, brands] = [0, 0, 0, 0];
  for (const { list } of found) {
    length += list.length;
    titles += list.titles;
    kinds += list.kinds;
    brands += list.brands;
  }
  if (brands > 0 && brands >= BRAND_SHARE_NEEDED * length) return BY_BRAND;
  return isHead && kinds > 0 && kinds >= KIND_SHARE_NEEDED * titles ? BY_KIND : EVENLY;
}
