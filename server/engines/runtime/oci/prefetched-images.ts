import type { Clock } from "../../../kernel/clock";

interface Known {
  /** Keys of layers. */
  parts: readonly string[];
  foundAt: number;
}

const FOUND_FOR_MS = 3600 * 1000;
const IMAGES_MAX = 1000;

/** What prefetched images consist of, so that their registries, which limit pulls, are asked once an hour. */
export class PrefetchedImages {
  readonly #known = new Map<string, Known>();

  constructor(readonly clock: Clock) {}

  /** undefined: its registry must be asked. */
  partsOf(reference: string): readonly string[] | undefined {
    const known = this.#known.get(reference);
    return known && this.#now() - known.foundAt < FOUND_FOR_MS ? known.parts : undefined;
  }

  note(reference: string, parts: readonly string[]): void {
    this.#known.delete(reference);
    this.#known.set(reference, { parts, foundAt: this.#now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > IMAGES_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
