import type { ProcessPlaces } from "./process-places";

interface Use {
  place: Promise<() => void>;
  calls: number;
}

/** Groups that have calls, each of which holds one place. */
export class GroupsInUse {
  readonly #places: ProcessPlaces;
  readonly #uses = new Map<string, Use>();

  constructor(places: ProcessPlaces) {
    this.#places = places;
  }

  has(group: string): boolean {
    return this.#uses.has(group);
  }

  /** Calls `use` with a place of the group. Throws as `ProcessPlaces.take` does. */
  async during<T>({ group, tenant }: { group: string; tenant: string }, use: () => Promise<T>): Promise<T> {
    const entry = this.#uses.get(group) ?? { place: this.#places.take(tenant), calls: 0 };
    this.#uses.set(group, entry);
    entry.calls++;
    try {
      await entry.place;
      return await use();
    } finally {
      entry.calls--;
      if (entry.calls === 0) this.#end(group, entry);
    }
  }

  #end(group: string, { place }: Use): void {
    this.#uses.delete(group);
    place.then(
      (release) => release(),
      () => undefined,
    );
  }
}
