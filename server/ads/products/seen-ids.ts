import { createHash } from "node:crypto";

const START_LENGTH = 1024;

/**
 * The set of ids in a feed, at 8 bytes each: the first 64 bits of their SHA-256. With ten million ids, the probability
 * that a missing id is reported as seen is below 10⁻⁵; such a product would only be archived by the next feed.
 */
export class SeenIds {
  #hashes: BigUint64Array<ArrayBuffer>;
  #length: number;
  #isSorted = true;

  /** `sorted` is the result of `sorted()` of another instance. */
  constructor(sorted: BigUint64Array<ArrayBuffer> = new BigUint64Array(0)) {
    this.#hashes = sorted;
    this.#length = sorted.length;
  }

  add(id: string): void {
    if (this.#length === this.#hashes.length) {
      const grown = new BigUint64Array(Math.max(START_LENGTH, this.#length * 2));
      grown.set(this.#hashes);
      this.#hashes = grown;
    }
    this.#hashes[this.#length++] = hashOf(id);
    this.#isSorted = false;
  }

  has(id: string): boolean {
    this.#sort();
    const wanted = hashOf(id);
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#hashes[middle] ?? wanted) < wanted) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && this.#hashes[low] === wanted;
  }

  /** A sorted copy of all hashes, which can be transferred to another thread. */
  sorted(): BigUint64Array<ArrayBuffer> {
    this.#sort();
    return this.#hashes.slice(0, this.#length);
  }

  #sort(): void {
    if (!this.#isSorted) this.#hashes.subarray(0, this.#length).sort();
    this.#isSorted = true;
  }
}

const hashOf = (id: string): bigint => createHash("sha256").update(id).digest().readBigUInt64BE();
