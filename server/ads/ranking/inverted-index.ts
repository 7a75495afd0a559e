import { grown } from "./grown";
import { Vocabulary } from "./vocabulary";

/** Where a word of an item stands, `kind` being the nouns that say what it is; the order is the bit order of a posting's field mask. */
export const FIELDS = ["title", "brand", "category", "description", "attributes", "keywords", "kind"] as const;
export type Field = (typeof FIELDS)[number];

/** How much one occurrence counts, how strongly long fields are damped (b of BM25), and the usual length in words. */
export type FieldRules = Readonly<Record<Field, { weight: number; damping: number; usualLength: number }>>;

/** Tuned on test/bench/relevance.ts. */
export const FIELD_RULES: FieldRules = {
  title: { weight: 5, damping: 0.6, usualLength: 10 },
  brand: { weight: 2, damping: 0.6, usualLength: 1.3 },
  category: { weight: 2, damping: 0.6, usualLength: 2 },
  description: { weight: 1, damping: 0.6, usualLength: 15 },
  attributes: { weight: 0.5, damping: 0.6, usualLength: 30 },
  keywords: { weight: 2, damping: 0.6, usualLength: 6 },
  kind: { weight: 2, damping: 0.5, usualLength: 3 },
};
const SATURATION = 0.6;
const IMAGINED_DOCUMENTS = 1000;
const IMPACT_STEPS = 0xffff;
const CAPACITY_FIRST = 2;

/** The words of an item's fields, as the index keys them; each field's length is its number of words. */
export type FieldWords = Readonly<Partial<Record<Field, readonly string[]>>>;

/** What is indexed of one item. */
export interface IndexedItem {
  words: FieldWords;
  /** Its `kind` words are nouns of goods, not merely the last words of its name. */
  isKindKnown: boolean;
}

/**
 * Postings of one word: pairs of (document, impact in the low 16 bits and field mask above them). Pairs keep the memory
 * of a word to one typed array; most words of a catalogue stand in one document only.
 */
export interface Postings {
  pairs: Int32Array;
  /** Number of pairs in use. */
  length: number;
  /** How many of them stand in the title, say what the item is, or name its brand. */
  titles: number;
  kinds: number;
  brands: number;
}

/**
 * An inverted index that grows by single documents, with the impact of every posting computed at insertion: BM25F
 * (Robertson, Zaragoza, Taylor 2004) with fixed usual field lengths instead of running averages, so that an item weighs
 * the same whatever was indexed before it. Removed documents are tombstones until `compact` has swept them out.
 */
export class InvertedIndex {
  readonly #lists = new Map<string, Postings>();
  /** The plain words of all documents, tombstones included. */
  readonly vocabulary = new Vocabulary();
  #alive = new Uint8Array(64);
  #next = 0;
  #live = 0;
  #free: number[] = [];
  #removed: number[] = [];
  #sweep: { lists: MapIterator<[string, Postings]>; ids: number[] } | undefined;

  /** Live documents. */
  get size(): number {
    return this.#live;
  }

  /** Documents that postings may still name: live ones and tombstones. */
  get population(): number {
    return this.#live + this.#removed.length + (this.#sweep?.ids.length ?? 0);
  }

  /** One more than the highest document number: the size that accumulators need. */
  get capacity(): number {
    return this.#next;
  }

  /** Tombstones that no sweep has begun to clear. */
  get tombstones(): number {
    return this.#removed.length;
  }

  isAlive(doc: number): boolean {
    return this.#alive[doc] === 1;
  }

  postings(word: string): Postings | undefined {
    return this.#lists.get(word);
  }

  /**
   * Inverse document frequency of a word that stands in `documents` of all, never negative. Some documents without the
   * word are always imagined: in a shop of ten shoes "shoes" must not count for nothing.
   */
  idf(documents: number): number {
    return Math.log(1 + (this.population + IMAGINED_DOCUMENTS - documents + 0.5) / (documents + 0.5));
  }

  /** Indexes one document and answers its number; `isKindKnown` tells that its `kind` words are nouns of goods, not guesses. */
  add(fields: FieldWords, isKindKnown = false): number {
    return this.addWeighed(weighWords({ words: fields, isKindKnown }));
  }

  /** `add` for words that were weighed before, here or on another thread. */
  addWeighed({ words, values }: WeighedWords): number {
    const doc = this.#free.pop() ?? this.#next++;
    if (doc >= this.#alive.length) this.#alive = grown(this.#alive, doc + 1, Uint8Array);
    this.#alive[doc] = 1;
    this.#live++;
    for (const [i, word] of words.entries()) this.#append(word, doc, values[i] as number);
    return doc;
  }

  /** Hides a document at once; its postings go with a later `compact`. */
  remove(doc: number): void {
    if (this.#alive[doc] !== 1) return;
    this.#alive[doc] = 0;
    this.#live--;
    this.#removed.push(doc);
  }

  /** Sweeps about `postingsMax` postings; true when no tombstone is left. Numbers are reused only after a whole sweep. */
  compact(postingsMax: number): boolean {
    if (!this.#sweep) {
      if (this.#removed.length === 0) return true;
      this.#sweep = { lists: this.#lists.entries(), ids: this.#removed };
      this.#removed = [];
    }
    for (let swept = 0; swept < postingsMax; ) {
      const step = this.#sweep.lists.next();
      if (step.done) {
        this.#free.push(...this.#sweep.ids.splice(0));
        this.#sweep = undefined;
        return this.#removed.length === 0;
      }
      const [word, list] = step.value;
      swept += list.length + 1;
      this.#purge(word, list);
    }
    return false;
  }

  #append(word: string, doc: number, value: number): void {
    let list = this.#lists.get(word);
    if (!list) {
      list = { pairs: new Int32Array(CAPACITY_FIRST), length: 0, titles: 0, kinds: 0, brands: 0 };
      this.#lists.set(word, list);
      this.vocabulary.add(word, list);
    }
    const at = list.length * 2;
    if (at + 2 > list.pairs.length) list.pairs = grown(list.pairs, at + 2, Int32Array);
    list.pairs[at] = doc;
    list.pairs[at + 1] = value;
    list.length++;
    tally(list, maskOf(value), 1);
  }

  #purge(word: string, list: Postings): void {
    const { pairs } = list;
    let kept = 0;
    for (let i = 0; i < list.length; i++) {
      const doc = pairs[2 * i] as number;
      if (this.#alive[doc] !== 1) {
        tally(list, maskOf(pairs[2 * i + 1] as number), -1);
        continue;
      }
      pairs[2 * kept] = doc;
      pairs[2 * kept + 1] = pairs[2 * i + 1] as number;
      kept++;
    }
    list.length = kept;
    if (kept === 0) {
      this.#lists.delete(word);
      this.vocabulary.remove(word);
    } else if (pairs.length > 8 * kept) list.pairs = pairs.slice(0, 2 * kept);
  }
}

/** The impact of a posting's value, between 0 and 1. */
export const impactOf = (value: number): number => (value & IMPACT_STEPS) / IMPACT_STEPS;

/** The fields that a posting's value names: bit i stands for `FIELDS[i]`; `KIND_KNOWN` may be set beside them. */
export const maskOf = (value: number): number => value >>> 16;

/** The bit of a field in a posting's mask. */
export const bitOf = (field: Field): number => 1 << FIELDS.indexOf(field);

/** Set in every posting of an item whose kind is known, whatever the word. */
export const KIND_KNOWN = 1 << FIELDS.length;

const [TITLE, BRAND, SAYS_KIND] = [bitOf("title"), bitOf("brand"), bitOf("kind") | bitOf("category")];

function tally(list: Postings, mask: number, by: 1 | -1): void {
  if (mask & TITLE) list.titles += by;
  if (mask & BRAND) list.brands += by;
  if (mask & SAYS_KIND && mask & KIND_KNOWN) list.kinds += by;
}

/** What the index keeps of a document: its words, each once, and each one's posting value. */
export interface WeighedWords {
  words: readonly string[];
  values: Int32Array;
}

/** Weighs the words of a document by field, length and frequency (BM25F); needs nothing but the document. */
export function weighWords({ words: fields, isKindKnown }: IndexedItem, rules = FIELD_RULES): WeighedWords {
  const weighed = weigh(fields, isKindKnown, rules);
  const known = isKindKnown ? KIND_KNOWN : 0;
  const values = Int32Array.from(weighed.values(), ({ frequency, mask }) => {
    const impact = Math.round((frequency / (SATURATION + frequency)) * IMPACT_STEPS);
    return ((mask | known) << 16) | impact;
  });
  return { words: [...weighed.keys()], values };
}

interface Weighed {
  frequency: number;
  mask: number;
}

function weigh(fields: FieldWords, isKindKnown: boolean, rules: FieldRules): Map<string, Weighed> {
  const weighed = new Map<string, Weighed>();
  FIELDS.forEach((field, bit) => {
    const words = fields[field];
    if (!words || words.length === 0) return;
    const { weight, damping, usualLength } = rules[field];
    const isGuess = field === "kind" && !isKindKnown;
    const share = isGuess ? 0 : weight / (1 - damping + damping * (words.length / usualLength));
    for (const word of words) {
      const entry = weighed.get(word);
      if (entry) {
        entry.frequency += share;
        entry.mask |= 1 << bit;
      } else weighed.set(word, { frequency: share, mask: 1 << bit });
    }
  });
  return weighed;
}
