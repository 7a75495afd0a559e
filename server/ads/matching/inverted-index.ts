import { grown } from "./grown";
import { TitleWords } from "./title-words";
import { Titles } from "./titles";
import { bitOf, MAIN_HEAD, maskOf, NAMES_KIND, type WeighedWords } from "./weigh-words";
import { WordTally } from "./word-tally";

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
  /** The number of pairs to read. */
  length: number;
  /** How many of them are in a title, and how many name what the item is. */
  titles: number;
  heads: number;
  /** The number of pairs in use: those of hidden documents are behind `length`, with counts of their own. */
  filled: number;
  hiddenTitles: number;
  hiddenHeads: number;
}

const [REMOVED, LIVE, HIDDEN] = [0, 1, 2];

/**
 * An inverted index that grows document by document and computes the impact of every posting on insertion. It uses
 * BM25F (Robertson, Zaragoza, Taylor 2004) with fixed usual field lengths instead of running averages, so that an item
 * has the same weight whatever was indexed before it. Removed documents are tombstones until `compact` removes them.
 * Hidden documents change no result and no count until all of a group are revealed at once.
 */
export class InvertedIndex {
  readonly #lists = new Map<string, Postings>();
  /** The words of all titles as written, for spelling and for how specific a word is. */
  readonly titleWords = new TitleWords();
  /** The words of each title in order, by the ids of their postings. */
  readonly titles = new Titles();
  #alive = new Uint8Array(64);
  /** Lists with pairs of hidden documents, and the words of their titles: of each, and how many have a word. */
  readonly #hiding = new Set<Postings>();
  readonly #hiddenTitles = new Map<number, readonly string[]>();
  readonly #hiddenWords = new WordTally();
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
    return this.#alive[doc] === LIVE;
  }

  postings(word: string): Postings | undefined {
    const list = this.#lists.get(word);
    return list && list.length > 0 ? list : undefined;
  }

  /** Indexes one document, which nothing finds before `reveal` if it is hidden, and returns its number. */
  add({ words, values, title, written }: WeighedWords, isHidden = false): number {
    const doc = this.#free.pop() ?? this.#next++;
    if (doc >= this.#alive.length) this.#alive = grown(this.#alive, doc + 1, Uint8Array);
    this.#alive[doc] = isHidden ? HIDDEN : LIVE;
    if (!isHidden) this.#live++;
    const ids = new Int32Array(words.length);
    let head = -1;
    for (const [i, word] of words.entries()) {
      const value = values[i] as number;
      const list = this.#listOf(word);
      this.#append(list, doc, value);
      const { id } = list;
      ids[i] = id;
      if (maskOf(value) & MAIN_HEAD) head = id;
    }
    this.titles.put(
      doc,
      title.map((at) => ids[at] as number),
      head,
    );
    if (isHidden) {
      this.#hiddenTitles.set(doc, written);
      this.#hiddenWords.add(written);
    } else for (const word of written) this.titleWords.add(word);
    return doc;
  }

  /** Makes hidden documents found and counted from now on; takes the least time for all of them. */
  reveal(docs: readonly number[]): void {
    const hidden = docs.filter((doc) => this.#alive[doc] === HIDDEN);
    for (const doc of hidden) this.#alive[doc] = LIVE;
    this.#live += hidden.length;
    if (hidden.length === this.#hiddenTitles.size) {
      this.#revealAll();
      return;
    }
    for (const doc of hidden) {
      const written = this.#hiddenTitles.get(doc) ?? [];
      this.#hiddenTitles.delete(doc);
      this.#hiddenWords.remove(written);
      for (const word of written) this.titleWords.add(word);
    }
    for (const list of this.#hiding) this.#revealIn(list);
  }

  #revealAll(): void {
    for (const [word, titles] of this.#hiddenWords.entries()) this.titleWords.add(word, titles);
    this.#hiddenWords.clear();
    this.#hiddenTitles.clear();
    for (const list of this.#hiding) {
      list.length = list.filled;
      list.titles += list.hiddenTitles;
      list.heads += list.hiddenHeads;
      list.hiddenTitles = list.hiddenHeads = 0;
    }
    this.#hiding.clear();
  }

  #revealIn(list: Postings): void {
    const { pairs } = list;
    for (let i = list.length; i < list.filled; i++) {
      if (this.#alive[pairs[2 * i] as number] !== LIVE) continue;
      swap(pairs, i, list.length++);
      const mask = maskOf(pairs[2 * list.length - 1] as number);
      tallyHidden(list, mask, -1);
      tally(list, mask, 1);
    }
    if (list.length === list.filled) this.#hiding.delete(list);
  }

  /**
   * Hides a document immediately; a later `compact` removes its postings. `written` are the words of its title, unless
   * the caller removes them from `titleWords`.
   */
  remove(doc: number, written: readonly string[]): void {
    const state = this.#alive[doc];
    if (state !== LIVE && state !== HIDDEN) return;
    this.#alive[doc] = REMOVED;
    this.#removed.push(doc);
    this.titles.remove(doc);
    const hidden = this.#hiddenTitles.get(doc);
    if (hidden) {
      this.#hiddenTitles.delete(doc);
      this.#hiddenWords.remove(hidden);
      return;
    }
    this.#live--;
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
      swept += list.filled + 1;
      this.#purge(word, list);
    }
    return false;
  }

  #listOf(word: string): Postings {
    const known = this.#lists.get(word);
    if (known) return known;
    const pairs = new Int32Array(CAPACITY_FIRST);
    const list: Postings = {
      id: this.#nextId++,
      pairs,
      length: 0,
      titles: 0,
      heads: 0,
      filled: 0,
      hiddenTitles: 0,
      hiddenHeads: 0,
    };
    this.#lists.set(word, list);
    this.#bytes += WORD_BYTES + pairs.byteLength;
    return list;
  }

  #append(list: Postings, doc: number, value: number): void {
    const at = list.filled * 2;
    if (at + 2 > list.pairs.length) {
      this.#bytes -= list.pairs.byteLength;
      list.pairs = grown(list.pairs, at + 2, Int32Array);
      this.#bytes += list.pairs.byteLength;
    }
    list.pairs[at] = doc;
    list.pairs[at + 1] = value;
    list.filled++;
    if (this.#alive[doc] === HIDDEN) {
      this.#hiding.add(list);
      tallyHidden(list, maskOf(value), 1);
      return;
    }
    swap(list.pairs, list.filled - 1, list.length++);
    tally(list, maskOf(value), 1);
  }

  #purge(word: string, list: Postings): void {
    const { pairs } = list;
    let kept = 0;
    let visible = 0;
    for (let i = 0; i < list.filled; i++) {
      const doc = pairs[2 * i] as number;
      if (this.#alive[doc] === REMOVED) {
        (i < list.length ? tally : tallyHidden)(list, maskOf(pairs[2 * i + 1] as number), -1);
        continue;
      }
      pairs[2 * kept] = doc;
      pairs[2 * kept + 1] = pairs[2 * i + 1] as number;
      kept++;
      if (i < list.length) visible++;
    }
    list.length = visible;
    list.filled = kept;
    if (visible === kept) this.#hiding.delete(list);
    if (kept === 0) {
      this.#lists.delete(word);
      this.#bytes -= WORD_BYTES + pairs.byteLength;
    } else if (pairs.length > 8 * kept) {
      list.pairs = pairs.slice(0, 2 * kept);
      this.#bytes -= pairs.byteLength - list.pairs.byteLength;
    }
  }
}

/** Exchanges two pairs. */
function swap(pairs: Int32Array, one: number, other: number): void {
  if (one === other) return;
  const [doc, value] = [pairs[2 * one] as number, pairs[2 * one + 1] as number];
  pairs[2 * one] = pairs[2 * other] as number;
  pairs[2 * one + 1] = pairs[2 * other + 1] as number;
  pairs[2 * other] = doc;
  pairs[2 * other + 1] = value;
}

const TITLE = bitOf("title");

function tally(list: Postings, mask: number, by: 1 | -1): void {
  if (mask & TITLE) list.titles += by;
  if (mask & NAMES_KIND) list.heads += by;
}

function tallyHidden(list: Postings, mask: number, by: 1 | -1): void {
  if (mask & TITLE) list.hiddenTitles += by;
  if (mask & NAMES_KIND) list.hiddenHeads += by;
}
