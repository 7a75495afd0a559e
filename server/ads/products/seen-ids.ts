import { createHash } from "node:crypto";

const START_LENGTH = 1024;

/**
 * Which ids a feed named, at 8 bytes each: the first 64 bits of their SHA-256. Among ten million ids the odds that an
 * absent one passes for seen are below 10⁻⁵; it would merely stay until the next feed.
 */
export class SeenIds {
  #hashes = new BigUint64Array(START_LENGTH);
  #length = 0;
  #isSorted = false;

  add(id: string): void {
    if (this.#length === this.#hashes.length) {
      const grown = new BigUint64Array(this.#length * 2);
      grown.set(this.#hashes);
      this.#hashes = grown;
    }
    this.#hashes[this.#length++] = hashOf(id);
    this.#isSorted = false;
  }

  has(id: string): boolean {
    if (!this.#isSorted) this.#hashes.subarray(0, this.#length).sort();
    this.#isSorted = true;
    const wanted = hashOf(id);
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#hashes[middle] ?? wanted) < wanted) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && this.#hashes[low] === wanted;
  }
}

const hashOf = (id: string): bigint => createHash("sha256").update(id).digest().readBigUInt64BE();
