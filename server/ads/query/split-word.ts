import { stem } from "../../guard/text/tokenizer";
import type { Postings } from "../matching/inverted-index";
import type { Vocabulary } from "./vocabulary";

const LENGTH_MIN = 5;
/** Shorter parts, and numbers, are parts only where a title has both next to each other. */
const LONG_PART_MIN = 3;
/** Parts that no title has together are in at least this many titles, or in this share of them in a small catalog. */
const PART_TITLES_MIN = 5;
const PART_TITLES_SHARE = 0.005;
/** How many items with the rarer part are searched for the other one. */
const SEARCHED_MAX = 100;
const NUMBER = /^\p{N}+$/u;

type Parts = readonly [before: string, after: string];

/** How the titles of a catalog prove a cut, the better the higher, and in how many of them. */
interface Proof {
  rank: 0 | 1 | 2;
  titles: number;
}

/**
 * The two title words of a word that was run together: "running" "shoes" of "runningshoes", "ps4" "games" of
 * "ps4games". Of all cuts the one is taken whose parts most titles have next to each other, else the one whose parts
 * most titles have together, else the one whose rarer part is in the most titles. Undefined without such a cut.
 */
export function partsOf(word: string, vocabulary: Vocabulary): Parts | undefined {
  if (word.length < LENGTH_MIN) return undefined;
  let best: { parts: Parts; proof: Proof } | undefined;
  for (let cut = 1; cut < word.length; cut++) {
    const parts: Parts = [word.slice(0, cut), word.slice(cut)];
    if (NUMBER.test(word.slice(cut - 1, cut + 1)) || parts.some((part) => !isPart(part))) continue;
    const proof = proofOf(parts, vocabulary);
    if (proof && (!best || isBetter(proof, best.proof))) best = { parts, proof };
  }
  return best?.parts;
}

const isPart = (part: string): boolean => NUMBER.test(part) || part.length > 1;

const isLong = (part: string): boolean => part.length >= LONG_PART_MIN && !NUMBER.test(part);

const isBetter = (one: Proof, other: Proof): boolean =>
  one.rank > other.rank || (one.rank === other.rank && one.titles > other.titles);

function proofOf(parts: Parts, vocabulary: Vocabulary): Proof | undefined {
  const rarer = Math.min(...parts.map((part) => vocabulary.titlesOf(part)));
  if (rarer === 0) return undefined;
  const { adjacent, together } = countTogether(parts, vocabulary);
  if (adjacent > 0) return { rank: 2, titles: adjacent };
  if (!parts.every(isLong)) return undefined;
  if (together > 0) return { rank: 1, titles: together };
  const enough = Math.min(PART_TITLES_MIN, Math.max(1, Math.ceil(vocabulary.items * PART_TITLES_SHARE)));
  return rarer >= enough ? { rank: 0, titles: rarer } : undefined;
}

/** In how many titles both words stand, and in how many they stand next to each other in this order. */
function countTogether([before, after]: Parts, { index, admits }: Vocabulary): { adjacent: number; together: number } {
  const [first, second] = [index.postings(stem(before)), index.postings(stem(after))];
  let [adjacent, together] = [0, 0];
  if (!first || !second) return { adjacent, together };
  const [rarer, other]: [Postings, Postings] = first.length <= second.length ? [first, second] : [second, first];
  for (let i = 0, searched = 0; i < rarer.length && searched < SEARCHED_MAX; i++) {
    const doc = rarer.pairs[2 * i] as number;
    if (!admits(doc)) continue;
    searched++;
    if (!index.titles.has(doc, other.id) || !index.titles.has(doc, rarer.id)) continue;
    together++;
    if (index.titles.hasPair(doc, first.id, second.id)) adjacent++;
  }
  return { adjacent, together };
}
