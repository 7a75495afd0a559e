import { stem } from "../../guard/text/tokenizer";
import type { InvertedIndex, Postings } from "../matching/inverted-index";
import { bitOf, maskOf } from "../matching/weigh-words";

const TITLE = bitOf("title");
/** Titles are counted up to this number. */
const TITLES_MAX = 2000;

/**
 * The words of the items that may be offered. Words of other items, such as another tenant's that serve only on its own
 * channels, neither show in how a request is read nor change it.
 */
export class Vocabulary {
  readonly index: InvertedIndex;
  /** The number of items. */
  readonly items: number;
  /** Whether a document is one of the items. Called once per posting, so it must be a table lookup. */
  readonly admits: (doc: number) => boolean;

  constructor(index: InvertedIndex, { items, admits }: Pick<Vocabulary, "items" | "admits">) {
    this.index = index;
    this.items = items;
    this.admits = admits;
  }

  /** Whether an item has a word of this list. */
  occurs({ pairs, length }: Postings): boolean {
    for (let i = 0; i < length; i++) if (this.admits(pairs[2 * i] as number)) return true;
    return false;
  }

  /** The number of titles with a word of this list, at most `most`. */
  titlesIn({ pairs, length }: Postings, most = TITLES_MAX): number {
    let titles = 0;
    for (let i = 0; i < length && titles < most; i++) {
      if (maskOf(pairs[2 * i + 1] as number) & TITLE && this.admits(pairs[2 * i] as number)) titles++;
    }
    return titles;
  }

  /** The number of titles with this very word; other forms of it count as far as titles of any item have it. */
  titlesOf(word: string): number {
    const list = this.index.postings(stem(word));
    return list ? Math.min(this.index.titleWords.titles(word), this.titlesIn(list)) : 0;
  }
}
