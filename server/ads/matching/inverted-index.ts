import { grown } from "./grown";
import { TitleWords } from "./title-words";
import { Titles } from "./titles";
import { bitOf, MAIN_HEAD, maskOf, NAMES_KIND, type WeighedWords } from "./weigh-words";

const CAPACITY_FIRST = 2;
/**
 * Memory of a word in addition to its postings, in the map and in the vocabulary; measured by
 * test/bench/catalog-memory.ts.
 */
const WORD_BYTES = 400;

/**
 * Postings of one word: pairs of a document and a value with the impact in the low 16 bits and the mask above them.
 * With pairs, a word needs only one typed array; most words of a catalog occur in only one document.
 */
export interface Postings {
  /** Identifies the word in titles for as long as a document contains it. */
  readonly id: number;
  pairs: Int32Array;
  /** The number of pairs in use. */
  length: number;
  /** How many of them are in a title, and how many name what the item is. */
  titles: number;
  heads: number;
}

/**
 * An inverted index that grows document by document and computes the impact of every posting on insertion. It uses
 * BM25F (Robertson, Zaragoza, Taylor 2004) with fixed usual field lengths instead of running averages, so that an item
 * has the same weight whatever was indexed before it. Removed documents are tombstones until `compact` removes them.
 */
export class InvertedIndex {
  readonly #lists = new Map<string, Postings>();
  /** The words of all titles as written, for spelling and for how specific a word is. */
  readonly titleWords = new TitleWords();
  /** The words of each title in order, by the ids of their postings. */
  readonly titles = new Titles();
  #alive = new Uint8Array(64);
  #next = 0;
  #nextId = 0;
  #live = 0;
  #free: number[] = [];
  #removed: number[] = [];
  #bytes = 0;
  #sweep: { lists: MapIterator<[string, Postings]>; ids: number[] } | undefined;

  /** The number of live documents. */
  get size(): number {
    return this.#live;
  }

  /** Approximate memory use of the words and their postings, including tombstones. */
  get bytes(): number {
    return this.#bytes + this.titles.bytes;
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

  /** Indexes one document and returns its number. */
  add({ words, values, title, written }: WeighedWords): number {
    const doc = this.#free.pop() ?? this.#next++;
    if (doc >= this.#alive.length) this.#alive = grown(this.#alive, doc + 1, Uint8Array);
    this.#alive[doc] = 1;
    this.#live++;
    const ids = new Int32Array(words.length);
    let head = -1;
    for (const [i, word] of words.entries()) {
      const value = values[i] as number;
      const id = this.#append(word, doc, value);
      ids[i] = id;
      if (maskOf(value) & MAIN_HEAD) head = id;
    }
    this.titles.put(
      doc,
      title.map((at) => ids[at] as number),
      head,
    );
    for (const word of written) this.titleWords.add(word);
    return doc;
  }

  /** Hides a document immediately; a later `compact` removes its postings. `written` are the words of its title. */
  remove(doc: number, written: readonly string[]): void {
    if (this.#alive[doc] !== 1) return;
    this.#alive[doc] = 0;
    this.#live--;
    this.#removed.push(doc);
    this.titles.remove(doc);
    for (const word of written) this.titleWords.remove(word);
  }

  /**
   * Sweeps about `postingsMax` postings; returns true if no tombstone is left. Numbers are reused only after a full
   * sweep.
   */
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

  #append(word: string, doc: number, value: number): number {
    let list = this.#lists.get(word);
    if (!list) {
      list = { id: this.#nextId++, pairs: new Int32Array(CAPACITY_FIRST), length: 0, titles: 0, heads: 0 };
      this.#lists.set(word, list);
      this.#bytes += WORD_BYTES + list.pairs.byteLength;
    }
    const at = list.length * 2;
    if (at + 2 > list.pairs.length) {
      this.#bytes -= list.pairs.byteLength;
      list.pairs = grown(list.pairs, at + 2, Int32Array);
      this.#bytes += list.pairs.byteLength;
    }
    list.pairs[at] = doc;
    list.pairs[at + 1] = value;
    list.length++;
    tally(list, maskOf(value), 1);
    return list.id;
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
      this.#bytes -= WORD_BYTES + pairs.byteLength;
    } else if (pairs.length > 8 * kept) {
      list.pairs = pairs.slice(0, 2 * kept);
      this.#bytes -= pairs.byteLength - list.pairs.byteLength;
    }
  }
}

const TITLE = bitOf("title");

function tally(list: Postings, mask: number, by: 1 | -1): void {
  if (mask & TITLE) list.titles += by;
  if (mask & NAMES_KIND) list.heads += by;
}
