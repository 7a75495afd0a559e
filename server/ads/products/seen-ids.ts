import { createHash } from "node:crypto";

const SLOTS_FIRST = 1024;
const FULL = 0.75;

/**
 * The ids of a feed that is being read, each with the line that had it last, at 16 to 32 bytes each: the first 64 bits of
 * their SHA-256. With ten million ids, the probability that two share their bits is below 10⁻⁵.
 */
export class FeedIds {
  /** Open addressing; an empty slot has the hash 0. */
  #hashes = new BigUint64Array(SLOTS_FIRST);
  #lines = new Uint32Array(SLOTS_FIRST);
  #size = 0;

  /** Records the line of an id; returns the line before, 0 for one that was only `mention`ed, or undefined. */
  put(id: string, line: number): number | undefined {
    const slot = this.#slotOf(id);
    const before = this.#hashes[slot.at] === 0n ? undefined : this.#lines[slot.at];
    this.#write(slot, line);
    return before;
  }

  /** Records that the feed has an id, in a line that was rejected. */
  mention(id: string): void {
    const slot = this.#slotOf(id);
    if (this.#hashes[slot.at] === 0n) this.#write(slot, 0);
  }

  /** A sorted copy of all hashes, which can be transferred to another thread. */
  sorted(): BigUint64Array<ArrayBuffer> {
    const hashes = new BigUint64Array(this.#size);
    let at = 0;
    for (const hash of this.#hashes) if (hash !== 0n) hashes[at++] = hash;
    return hashes.sort();
  }

  #slotOf(id: string): { hash: bigint; at: number } {
    const hash = hashOf(id);
    return { hash, at: place(this.#hashes, hash) };
  }

  #write({ hash, at }: { hash: bigint; at: number }, line: number): void {
    if (this.#hashes[at] === 0n) this.#size++;
    this.#hashes[at] = hash;
    this.#lines[at] = line;
    if (this.#size > this.#hashes.length * FULL) this.#grow();
  }

  #grow(): void {
    const [hashes, lines] = [this.#hashes, this.#lines];
    this.#hashes = new BigUint64Array(hashes.length * 2);
    this.#lines = new Uint32Array(hashes.length * 2);
    for (const [i, hash] of hashes.entries()) {
      if (hash === 0n) continue;
      const at = place(this.#hashes, hash);
      this.#hashes[at] = hash;
      this.#lines[at] = lines[i] as number;
    }
  }
}

/** The set of ids in a feed that was read. */
export class SeenIds {
  readonly #hashes: BigUint64Array;

  /** `sorted` is the result of `sorted()` of FeedIds. */
  constructor(sorted: BigUint64Array) {
    this.#hashes = sorted;
  }

  has(id: string): boolean {
    const wanted = hashOf(id);
    let [low, high] = [0, this.#hashes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#hashes[middle] ?? wanted) < wanted) low = middle + 1;
      else high = middle;
    }
    return low < this.#hashes.length && this.#hashes[low] === wanted;
  }
}

/** The slot of a hash, or the empty one where it belongs. */
function place(hashes: BigUint64Array, hash: bigint): number {
  const last = hashes.length - 1;
  let at = Number(hash & BigInt(last));
  while (hashes[at] !== 0n && hashes[at] !== hash) at = (at + 1) & last;
  return at;
}

/** Never 0, which marks an empty slot. */
const hashOf = (id: string): bigint => createHash("sha256").update(id).digest().readBigUInt64BE() || 1n;
