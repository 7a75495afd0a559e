import { grown } from "./grown";

/** The words of titles by document, in one array outside of the JavaScript heap. */
export class Titles {
  /** The words of document d are `ids[starts[d]]` up to `ids[ends[d]]`. */
  ids = new Int32Array(256);
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** The word that most likely says what the item is; -1 without one. */
  heads = new Int32Array(64).fill(-1);
  #used = 0;
  #wasted = 0;

  /** Memory of the words of titles that were not removed, so that closing the gaps does not change it. */
  get bytes(): number {
    return (this.#used - this.#wasted) * this.ids.BYTES_PER_ELEMENT;
  }

  put(doc: number, words: Int32Array, head: number): void {
    if (doc >= this.starts.length) {
      this.starts = grown(this.starts, doc + 1, Int32Array);
      this.ends = grown(this.ends, doc + 1, Int32Array);
      this.heads = grown(this.heads, doc + 1, Int32Array);
    }
    if (this.#used + words.length > this.ids.length) this.#makeRoom(words.length);
    this.ids.set(words, this.#used);
    this.starts[doc] = this.#used;
    this.#used += words.length;
    this.ends[doc] = this.#used;
    this.heads[doc] = head;
  }

  remove(doc: number): void {
    this.#wasted += (this.ends[doc] as number) - (this.starts[doc] as number);
    this.ends[doc] = this.starts[doc] as number;
    this.heads[doc] = -1;
  }

  /** Whether the title of `doc` has a word. */
  has(doc: number, word: number): boolean {
    const end = this.ends[doc] as number;
    for (let at = this.starts[doc] as number; at < end; at++) if (this.ids[at] === word) return true;
    return false;
  }

  /** Whether two words stand next to each other, in this order, in the title of `doc`. */
  hasPair(doc: number, before: number, after: number): boolean {
    const end = this.ends[doc] as number;
    for (let at = (this.starts[doc] as number) + 1; at < end; at++) {
      if (this.ids[at] === after && this.ids[at - 1] === before) return true;
    }
    return false;
  }

  /** Closes the gaps of removed documents if they are large, else grows. */
  #makeRoom(needed: number): void {
    if (this.#wasted < this.#used / 2) {
      this.ids = grown(this.ids, this.#used + needed, Int32Array);
      return;
    }
    const ids = new Int32Array(Math.max(256, this.#used - this.#wasted + needed));
    let used = 0;
    for (let doc = 0; doc < this.starts.length; doc++) {
      const words = this.ids.subarray(this.starts[doc], this.ends[doc]);
      ids.set(words, used);
      this.starts[doc] = used;
      used += words.length;
      this.ends[doc] = used;
    }
    this.ids = ids;
    this.#used = used;
    this.#wasted = 0;
  }
}
