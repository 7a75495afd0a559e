import { isChatWord, isFunctionWord, isWishWord } from "../../guard/text/stop-words";
import type { FramedRequest } from "../query/request-frame";
import type { WeighedTerm } from "./weigh-terms";

/** A word that is this frequent in general, and less so in titles, says nothing about what is wanted. */
const COMMON_GENERAL = 0.0015;
const COMMON_SPECIFICITY = -1;
const CHUNKS_MAX = 2;
const WISH_REACH = 3;
const WISH_VALUE = 3;

/** Neighbouring words of a request that may together name the wanted thing, and all others. */
export interface Chunk {
  terms: readonly WeighedTerm[];
  /** Terms outside of the chunk, in order. */
  rest: readonly WeighedTerm[];
}

/** A request, divided by what its words may name. */
export interface ChunkedRequest {
  /** Best first, at most two. */
  chunks: Chunk[];
  /** The share of the request's words that say nothing about goods, 0 to 1. */
  emptyShare: number;
}

/**
 * Finds the parts of a request that may name the wanted thing, best first, at most two: in "my old one broke, which
 * coffee grinder should I get" that is "coffee grinder". Common words say nothing, except where all words are search
 * words and between two words of a chunk.
 */
export function readChunks(terms: readonly WeighedTerm[], request: FramedRequest): ChunkedRequest {
  const { written, clauses, language } = request;
  const isSearch = written.every((_, at) => terms.some((term) => term.at === at));
  const telling = isSearch ? terms : terms.filter((term, i) => !isCommon(term) || isBridge(terms, i));
  const kept = telling.length > 0 ? telling : terms;
  const runs: WeighedTerm[][] = [];
  for (const term of kept) {
    const run = runs.at(-1);
    const before = run?.at(-1)?.at ?? -2;
    if (run && (before === term.at || (before === term.at - 1 && !clauses.has(term.at)))) run.push(term);
    else runs.push([term]);
  }
  const ranked = runs
    .map((run) => ({ run, value: worthOf(run, written) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, CHUNKS_MAX);
  const chunks = ranked.map(({ run }) => {
    const named = new Map(run.map((term) => [term.form, term]));
    return { terms: [...named.values()], rest: terms.filter(({ form }) => !named.has(form)) };
  });
  const places = new Set(kept.map(({ at }) => at));
  const empty = written.filter(
    (word, at) =>
      !places.has(at) && (isFunctionWord(word, language) || isChatWord(word) || terms.some((one) => one.at === at)),
  );
  return { chunks, emptyShare: written.length > 0 ? empty.length / written.length : 0 };
}

const isCommon = ({ general, specificity, measure }: WeighedTerm): boolean =>
  !measure && general > COMMON_GENERAL && specificity < COMMON_SPECIFICITY;

/** Whether a term stands between two that tell what is wanted: the "sound" of "surround sound speakers". */
function isBridge(terms: readonly WeighedTerm[], i: number): boolean {
  const [before, term, after] = [terms[i - 1], terms[i], terms[i + 1]];
  if (!before || !term || !after || isCommon(before) || isCommon(after)) return false;
  return before.at >= term.at - 1 && after.at <= term.at + 1;
}

/** How likely a run of words names goods; the numbers come from a study over chat sentences of two trades. */
function worthOf(run: readonly WeighedTerm[], written: readonly string[]): number {
  let value = 0;
  for (const { isKnown, specificity, headShare, found, measure } of run) {
    if (!isKnown) value -= 0.2;
    else {
      const trust = found === "corrected" ? 0.5 : measure ? 0.2 : 1;
      value += trust * Math.max(0, specificity + 1) * (0.4 + 0.6 * headShare);
    }
  }
  const start = run[0]?.at ?? 0;
  const isWished = written.slice(Math.max(0, start - WISH_REACH), start).some(isWishWord);
  return isWished ? value + WISH_VALUE : value;
}
