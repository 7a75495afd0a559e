import { createHash } from "node:crypto";

const HASH_BYTES = 32;

/** A stream of bytes that looks random and is the same for the same seed: SHA-256 of the seed and a counter. */
export class SeededStream {
  readonly #seed: string;
  #block = Buffer.alloc(0);
  #counter = 0;
  #at = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Uniform in [0, 1). */
  number(): number {
    return this.#take(4).readUInt32BE() / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.number() < probability;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.number();
  }

  /** `count` bytes, at most 32, as hexadecimal digits. */
  hex(count: number): string {
    return this.#take(count).toString("hex");
  }

  /** One of the choices by their weights; throws if there is none. */
  pick<T extends { weight: number }>(choices: readonly T[]): T {
    let rest = this.number() * choices.reduce((sum, { weight }) => sum + weight, 0);
    const chosen = choices.find(({ weight }) => {
      rest -= weight;
      return rest < 0;
    });
    const last = choices.at(-1);
    if (!last) throw new RangeError("There is nothing to choose from.");
    return chosen ?? last;
  }

  #take(count: number): Buffer {
    if (this.#at + count > this.#block.length) {
      this.#block = createHash("sha256")
        .update(`${this.#seed}/${this.#counter++}`)
        .digest();
      this.#at = 0;
    }
    if (count > HASH_BYTES) throw new RangeError(`A stream gives at most ${HASH_BYTES} bytes at once.`);
    this.#at += count;
    return this.#block.subarray(this.#at - count, this.#at);
  }
}
