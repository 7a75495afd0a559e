/** Memory of an entry in addition to its key, vector and neighbours. */
const ENTRY_BYTES = 400;

interface Sized {
  bytes: number;
}

/** Keeps the entries that were used last, in at most `bytesMax` bytes. */
export class RecentlyUsed<T extends Sized> {
  readonly #bytesMax: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, T>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, entry: T): void {
    this.#delete(key);
    this.#entries.set(key, entry);
    this.#bytes += bytesOf(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= bytesOf(key, entry);
  }
}

const bytesOf = (key: string, { bytes }: Sized): number => ENTRY_BYTES + 2 * key.length + bytes;
