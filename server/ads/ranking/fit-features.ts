import { isBuyingWord, isQuestionWord } from "../../guard/text/stop-words";
import type { Accumulators } from "../matching/accumulators";
import type { InvertedIndex } from "../matching/inverted-index";
import { bitOf, maskOf } from "../matching/weigh-words";
import { type FramedRequest, frameOf } from "../query/request-frame";
import type { Chunk } from "./read-chunks";
import type { Population, WeighedTerm } from "./weigh-terms";

/** An item needs this share of the best item's coverage to be offered with it. */
export const SHARE_OF_BEST_NEEDED = 0.45;
/** An item with this share of the coverage has every wanted word, in whatever form. */
const ALL_COVERED = 0.85;
const TOP = 10;
const TOP_HEADS = 8;
const JOINT_MAX = 10;
const JOINT_SINGLE_MAX = 100;
const TITLE = bitOf("title");

/** What the model of fit looks at, in the order of its weights. */
export const FEATURES = [
  "coverage",
  "rest",
  "aside",
  "last_head",
  "best_head",
  "adjacent",
  "joint",
  "empty_share",
  "question",
  "length",
  "specific",
  "unspecific",
  "buying",
  "asked",
  "indefinite",
] as const;
export type Feature = (typeof FEATURES)[number];
/** What each feature measures, as the Explain operation describes it. */
export const FEATURE_DESCRIPTIONS: Readonly<Record<Feature, string>> = {
  coverage: "The share of the wanted words that the best item has, 0 to 1; rare words count more.",
  rest: "How much the words beside the wanted ones in the same clause say, on a logarithmic scale; 0 if there are none.",
  aside: "The same for words in other clauses and phrases, such as for whom or when something is wanted.",
  last_head: 'How often the last wanted word names what an item is, 0 to 1: "shoes" in "trail running shoes".',
  best_head: "How surely one of the wanted words names what the found items are, 0 to 1.",
  adjacent:
    "The share of neighbouring wanted words that are also neighbours in the best item's title, 0 to 1; 0.4 for a single word.",
  joint: "How many titles have the two rarest wanted words together, on a logarithmic scale from 0 to 1.",
  empty_share: "The share of the request's words that say nothing about goods, 0 to 1.",
  question: "1 if the request begins with a question word, else 0.",
  length: "The natural logarithm of the number of wanted words.",
  specific:
    "How much more frequent the wanted words that the best item's title has are in titles than in general text, 0 to 10.",
  unspecific: "How much less frequent the wanted words are in titles than in general text, -8 to 0.",
  buying: "1 if the request contains a word of buying, else 0.",
  asked: "1 if what is wanted is the object of a wish, such as need, looking for or do you have, else 0.",
  indefinite: "1 if a, an, any, some or a judging word such as good comes directly before what is wanted, else 0.",
};
export type Features = Readonly<Record<Feature, number>>;

/** The request around a chunk. */
export interface ChunkRequest extends FramedRequest {
  /** The share of the words that say nothing about goods. */
  emptyShare: number;
  index: InvertedIndex;
  /** The scores of the chunk. */
  sums: Accumulators;
  population: Population;
  /** Which found documents are of the population. */
  counts: (doc: number) => boolean;
}

/** The features of a chunk whose items were scored. */
export function featuresOf({ terms, rest }: Chunk, around: ChunkRequest): Features {
  const { written, emptyShare, index, sums, population, counts } = around;
  const frame = frameOf(...placesOf(terms), around);
  const covered = sums.bestCovered(counts);
  // Items that cover less may not have been found, so they must not change anything.
  const least = covered * SHARE_OF_BEST_NEEDED;
  const top = sums.top(TOP, (doc) => (sums.covered[doc] as number) >= least && counts(doc));
  const coverable = coverableOf(terms);
  const known = terms.filter(({ isKnown }) => isKnown);
  const last = known.at(-1);
  return {
    coverage: coverable > 0 ? Math.min(1, covered / coverable) : 0,
    rest: massOf(rest.filter(({ at }) => at >= frame.from && at < frame.to)),
    aside: massOf(rest.filter(({ at }) => at < frame.from || at >= frame.to)),
    last_head: last && last === terms.at(-1) ? last.headShare : 0,
    best_head: bestHead(known, top, index),
    adjacent: adjacentIn(terms, top[0], index),
    joint: jointly(known, sums, population),
    empty_share: emptyShare,
    question: Number(isQuestionWord(written[0] ?? "")),
    length: Math.log(terms.length),
    specific: Math.min(10, positives(covered >= coverable * ALL_COVERED ? terms : inTitle(terms, top[0], index))),
    unspecific: Math.max(-8, negatives(terms)),
    buying: Number(written.some(isBuyingWord)),
    asked: Number(frame.isAsked),
    indefinite: Number(frame.isIndefinite),
  };
}

/** The first and the last word of a chunk among all words of the request. */
const placesOf = (terms: readonly WeighedTerm[]): [start: number, end: number] => [
  Math.min(...terms.map(({ at }) => at)),
  Math.max(...terms.map(({ at }) => at)),
];

/** How much words say, on a logarithmic scale; rare ones more. */
const massOf = (terms: readonly WeighedTerm[]): number =>
  Math.log(1 + terms.reduce((sum, { general }) => sum + Math.min(1, -Math.log(general) / 9), 0));

/** The terms that the title of `doc` has. */
const inTitle = (terms: readonly WeighedTerm[], doc: number | undefined, { titles }: InvertedIndex): WeighedTerm[] =>
  terms.filter(
    ({ sources, joined }) =>
      doc !== undefined &&
      (sources.some(({ list }) => titles.has(doc, list.id)) || (joined !== undefined && titles.has(doc, joined.id))),
  );

/** The idf of all terms: what a document with every term in its title covers. */
export const coverableOf = (terms: readonly WeighedTerm[]): number => terms.reduce((sum, { idf }) => sum + idf, 0);

const positives = (terms: readonly WeighedTerm[]): number =>
  terms.reduce((sum, { specificity }) => sum + Math.max(0, specificity), 0);
const negatives = (terms: readonly WeighedTerm[]): number =>
  terms.reduce((sum, { specificity }) => sum + Math.min(0, specificity), 0);

/** How surely one of the words names the kind of an item: in all titles that have it, or in those of the best items. */
function bestHead(known: readonly WeighedTerm[], top: readonly number[], index: InvertedIndex): number {
  const heads = top.slice(0, TOP_HEADS).map((doc) => index.titles.heads[doc]);
  const shares = known.map(({ headShare, sources }) => {
    const named = heads.filter((head) => sources.some(({ list }) => list.id === head));
    return Math.max(headShare, heads.length > 0 ? named.length / heads.length : 0);
  });
  return Math.max(0, ...shares);
}

/** The share of neighbours in the chunk that are neighbours in the title of `doc`; .4 for a single word. */
function adjacentIn(terms: readonly WeighedTerm[], doc: number | undefined, index: InvertedIndex): number {
  if (terms.length < 2) return 0.4;
  return doc === undefined ? 0 : adjacentShare(terms, doc, index);
}

/** The share of neighbours among the terms that stand next to each other, in this order, in the title of `doc`. */
export function adjacentShare(terms: readonly WeighedTerm[], doc: number, { titles }: InvertedIndex): number {
  if (terms.length < 2) return 0;
  let pairs = 0;
  for (let i = 1; i < terms.length; i++) {
    const [before, after] = [terms[i - 1]?.sources[0]?.list.id, terms[i]?.sources[0]?.list.id];
    const joined = terms[i]?.joined?.id;
    if (joined !== undefined && titles.has(doc, joined)) pairs++;
    else if (before !== undefined && after !== undefined && titles.hasPair(doc, before, after)) pairs++;
  }
  return pairs / (terms.length - 1);
}

/** How many titles have both of the rarest words, or the only one, on a logarithmic scale from 0 to 1. */
function jointly(known: readonly WeighedTerm[], sums: Accumulators, { admits }: Population): number {
  const [first, second] = known.toSorted((a, b) => a.titles - b.titles);
  if (!first) return 0;
  if (!second) return Math.min(1, Math.log(1 + first.titles) / Math.log(1 + JOINT_SINGLE_MAX));
  const { groupOf } = sums;
  sums.beginGroup();
  eachTitle(first, (doc) => {
    if (admits(doc)) groupOf[doc] = sums.group;
  });
  let both = 0;
  eachTitle(second, (doc) => {
    if (groupOf[doc] === sums.group) both++;
  });
  if (second.joined && both === 0) both = second.joined.titles;
  return Math.min(1, Math.log(1 + both) / Math.log(1 + JOINT_MAX));
}

function eachTitle({ sources }: WeighedTerm, visit: (doc: number) => void): void {
  for (const { list } of sources) {
    for (let i = 0; i < list.length; i++) {
      if (maskOf(list.pairs[2 * i + 1] as number) & TITLE) visit(list.pairs[2 * i] as number);
    }
  }
}
