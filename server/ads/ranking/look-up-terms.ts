import { bitOf, FIELDS, type InvertedIndex, KIND_KNOWN, type Postings } from "./inverted-index";
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
}

/** Words for one thing: a document counts the best of them. */
export interface LookupGroup {
  lookups: readonly Lookup[];
  /** Postings of all of them. */
  length: number;
  coverWeight: number;
}

const MASKS = 2 << FIELDS.length;
const SAYS_KIND = bitOf("kind") | bitOf("category");
const EVENLY = new Float32Array(MASKS).fill(1);
const BY_KIND = Float32Array.from({ length: MASKS }, (_, mask) =>
  mask & SAYS_KIND || !(mask & KIND_KNOWN) ? 1 : OTHER_KIND,
);
const BY_BRAND = Float32Array.from({ length: MASKS }, (_, mask) => (mask & bitOf("brand") ? 1 : OTHER_BRAND));

/** The lists of all terms in groups, and the weight that a document would cover if it had every term in its title. */
export function lookUpTerms(
  index: InvertedIndex,
  terms: readonly QueryTerm[],
  weight: number,
): { groups: LookupGroup[]; coverable: number } {
  const groups: LookupGroup[] = [];
  const covers: number[] = [];
  for (const term of terms) {
    const words = listsOf(index, [{ word: term.word, share: 1, coverShare: 1 }, ...(term.alternatives ?? [])]);
    const idf = index.idf(lengthOf(words));
    const cover = idf * term.weight;
    covers.push(cover);
    const share = term.weight < DESCRIBES_BELOW ? DESCRIBING_SHARE : 1;
    if (words.length > 0) groups.push(groupOf(words, { score: idf * weight * share, cover, term }));
    const spans = listsOf(index, term.spans ?? []);
    if (spans.length === 0) continue;
    const reach = Math.max(...spans.map(({ terms: spanned = 1 }) => spanned));
    const spanned = covers.slice(-reach).reduce((sum, one) => sum + one, 0);
    groups.push(groupOf(spans, { score: index.idf(lengthOf(spans)) * weight, cover: spanned, term }));
  }
  return { groups, coverable: covers.reduce((sum, cover) => sum + cover, 0) };
}

interface Found extends Omit<Alternative, "word"> {
  list: Postings;
  terms?: number | undefined;
}

const listsOf = (index: InvertedIndex, words: readonly (Alternative & { terms?: number })[]): Found[] =>
  words.flatMap(({ word, ...rest }) => {
    const list = index.postings(word);
    return list ? [{ list, ...rest }] : [];
  });

const lengthOf = (found: readonly Found[]): number => found.reduce((sum, { list }) => sum + list.length, 0);

function groupOf(
  found: readonly Found[],
  { score, cover, term }: { score: number; cover: number; term: QueryTerm },
): LookupGroup {
  const factors = factorsOf(term, found);
  const lookups = found.map(({ list, share, coverShare }) => ({
    ...{ list, factors },
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
