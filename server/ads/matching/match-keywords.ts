import { stem, tokenize } from "../../guard/text/tokenizer";
import type { Keyword, MatchType } from "../serving/serving";

interface Entry {
  slot: number;
  words: readonly string[];
  match: MatchType;
}

/** What the query's words match: the best positive match per campaign slot, and the campaigns that exclude it. */
export interface KeywordMatches {
  positive: ReadonlyMap<number, { match: MatchType; words: number }>;
  negative: ReadonlySet<number>;
}

const ORDER: Readonly<Record<MatchType, number>> = { exact: 3, phrase: 2, broad: 1, negative: 0 };

/** Campaigns by the words of their keywords. Each keyword is stored under its longest word only. */
export class KeywordIndex {
  readonly #byWord = new Map<string, Entry[]>();
  readonly #wordsBySlot = new Map<number, Set<string>>();

  /** Replaces the keywords of a campaign; an empty list removes them. */
  put(slot: number, keywords: readonly Keyword[]): void {
    for (const word of this.#wordsBySlot.get(slot) ?? []) {
      const left = this.#byWord.get(word)?.filter((entry) => entry.slot !== slot) ?? [];
      if (left.length > 0) this.#byWord.set(word, left);
      else this.#byWord.delete(word);
    }
    const anchors = new Set<string>();
    for (const { text, match } of keywords) {
      const words = tokenize(text).map(({ word }) => stem(word));
      if (words.length === 0) continue;
      const anchor = words.reduce((longest, word) => (word.length > longest.length ? word : longest));
      anchors.add(anchor);
      const entries = this.#byWord.get(anchor);
      if (entries) entries.push({ slot, words, match });
      else this.#byWord.set(anchor, [{ slot, words, match }]);
    }
    if (anchors.size > 0) this.#wordsBySlot.set(slot, anchors);
    else this.#wordsBySlot.delete(slot);
  }

  /**
   * Finds the campaigns that the words of a query match: exact (the whole query), phrase (in a row), broad and negative
   * (all words, any order).
   */
  match(query: readonly string[]): KeywordMatches {
    const positive = new Map<number, { match: MatchType; words: number }>();
    const negative = new Set<number>();
    for (const word of new Set(query)) {
      for (const { slot, words, match } of this.#byWord.get(word) ?? []) {
        if (!triggers(words, match, query)) continue;
        if (match === "negative") negative.add(slot);
        else if (ORDER[match] > ORDER[positive.get(slot)?.match ?? "negative"]) {
          positive.set(slot, { match, words: words.length });
        }
      }
    }
    return { positive, negative };
  }
}

function triggers(words: readonly string[], match: MatchType, query: readonly string[]): boolean {
  if (match === "exact") return words.length === query.length && startsAt(query, words, 0);
  if (match === "phrase") return query.some((_, at) => startsAt(query, words, at));
  return words.every((word) => query.includes(word));
}

const startsAt = (query: readonly string[], words: readonly string[], at: number): boolean =>
  at + words.length <= query.length && words.every((word, i) => query[at + i] === word);
