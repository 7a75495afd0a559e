import { LRUCache } from "lru-cache";
import { createRedactor, type Redactor } from "../../data/secrets/redactor";

/** Characters of all keys together whose redactors are kept: each takes up to about 400 bytes. */
const CHARS_MAX = 128 * 1024;

/** The redactors of the keys that were sent last: their tables take longer to make than an answer takes to search. */
export class KeyRedactors {
  readonly #known = new LRUCache<string, Redactor>({ maxSize: CHARS_MAX, sizeCalculation: (_, key) => key.length });

  /** The redactor of an upstream's key; undefined if it has none. */
  of(key: string | undefined): Redactor | undefined {
    if (!key) return undefined;
    const known = this.#known.get(key);
    if (known) return known;
    const redactor = createRedactor([key]);
    this.#known.set(key, redactor);
    return redactor;
  }
}
