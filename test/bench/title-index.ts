import type { CatalogItem } from "./judged-folder";

/** The words of a text: lower case letters and digits, cut at everything else. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const TITLE_END = /[,;:("]| - |\s(?:for|with|in|of)\s|\s\d/giu;
const PLAIN = /^\p{L}{3,}$/u;
/** Colours, packings and units follow or replace the noun in many titles. */
const NO_NOUNS = new Set(
  `black white silver grey gray blue red green yellow orange cyan magenta beige brown pink purple chrome matte original
  compatible box pack pcs sheets dpi ppm ghz mhz mbit inch volt watt com pro series unit type standard internal external
  male female`.split(/\s+/),
);

/**
 * The word that a title's product is most likely called by: the last plain word, colours and packings aside, before the
 * first mark, number or preposition that follows at least two plain words. Undefined if there is none.
 */
export function headOf(title: string): string | undefined {
  for (const { index } of title.matchAll(TITLE_END)) {
    const words = plainWords(title.slice(0, index));
    if (words.length >= 2) return nounAmong(words);
  }
  return nounAmong(plainWords(title));
}

const plainWords = (text: string): string[] => wordsOf(text).filter((word) => PLAIN.test(word));
const nounAmong = (words: readonly string[]): string | undefined => words.findLast((word) => !NO_NOUNS.has(word));

/** Finds the items whose titles contain words. */
export class TitleIndex {
  readonly #docs = new Map<string, number[]>();
  readonly #pairs = new Set<string>();
  readonly #items: readonly CatalogItem[];

  constructor(items: readonly CatalogItem[]) {
    this.#items = items;
    items.forEach(({ title }, doc) => {
      const words = wordsOf(title);
      for (const word of new Set(words)) {
        const docs = this.#docs.get(word);
        if (docs) docs.push(doc);
        else this.#docs.set(word, [doc]);
      }
      for (let i = 1; i < words.length; i++) this.#pairs.add(`${words[i - 1]} ${words[i]}`);
    });
  }

  /** The number of titles with the word. */
  count(word: string): number {
    return this.#docs.get(word)?.length ?? 0;
  }

  /** Whether two words are neighbours in some title. */
  areNeighbours(first: string, second: string): boolean {
    return this.#pairs.has(`${first} ${second}`);
  }

  /** The items whose titles contain all the words. */
  containing(words: readonly string[]): CatalogItem[] {
    const [rarest, ...others] = words.map((word) => this.#docs.get(word) ?? []).sort((a, b) => a.length - b.length);
    const rest = others.map((docs) => new Set(docs));
    const docs = (rarest ?? []).filter((doc) => rest.every((set) => set.has(doc)));
    return docs.flatMap((doc) => this.#items[doc] ?? []);
  }
}
