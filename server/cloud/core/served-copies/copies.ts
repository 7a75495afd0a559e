import { LRUCache } from "lru-cache";

/** What an entry takes beside its value and its key. */
const ENTRY_BYTES = 200;
const BYTES_PER_CHARACTER = 2;

export interface CopiesOf<T> {
  /** Names what is served, among all that processes serve. */
  topic: string;
  /** Reads what is stored under a key at this moment; undefined: nothing. */
  load: (key: string) => Promise<T | undefined>;
  /** How much memory the copies of this process take; those that were not used for longest are forgotten. */
  bytesMax: number;
}

/** Copies of what is stored, by key. They are used only while others wait for this process, and read again after changes. */
export class Copies<T extends object> {
  readonly #parts: CopiesOf<T>;
  readonly #isLive: () => boolean;
  readonly #held: LRUCache<string, T>;
  readonly #loading = new Map<string, Promise<T | undefined>>();

  /** `isLive`: whether changes take effect only when this process has forgotten older copies. */
  constructor(parts: CopiesOf<T>, isLive: () => boolean) {
    this.#parts = parts;
    this.#isLive = isLive;
    this.#held = new LRUCache({ maxSize: parts.bytesMax });
  }

  /** What the copies take, in bytes. */
  get bytes(): number {
    return this.#held.calculatedSize;
  }

  /** The copy that is in memory and may be served; undefined: there is none, and nothing was read. */
  held(key: string): T | undefined {
    return this.#isLive() ? this.#held.get(key) : undefined;
  }

  /**
   * What is stored under a key: never older than a change that was reported as effective. Undefined: nothing. Throws what
   * `load` throws.
   */
  get(key: string): Promise<T | undefined> {
    if (!this.#isLive()) return this.#parts.load(key);
    const held = this.#held.get(key);
    return held ? Promise.resolve(held) : (this.#loading.get(key) ?? this.#begin(key));
  }

  /** Also what is being read: it may be from before a change. */
  forget(key: string): void {
    this.#held.delete(key);
    this.#loading.delete(key);
  }

  forgetAll(): void {
    this.#held.clear();
    this.#loading.clear();
  }

  #begin(key: string): Promise<T | undefined> {
    const loading = this.#parts.load(key).then((value) => {
      if (value && this.#loading.get(key) === loading) this.#held.set(key, value, { size: bytesOf(key, value) });
      return value;
    });
    const ended = () => void (this.#loading.get(key) === loading && this.#loading.delete(key));
    loading.then(ended, ended);
    this.#loading.set(key, loading);
    return loading;
  }
}

const bytesOf = (key: string, value: object): number =>
  ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + JSON.stringify(value).length);
