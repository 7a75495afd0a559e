/** The order in which keys take turns with what waits for them: the key whose turn was longest ago comes first. */
export class TurnOrder {
  readonly #turns = new Map<string, number>();
  #turn = 0;

  /** What waits, by the turns of its keys; of one key in the order given. Forgets keys that nothing waits for. */
  sort<T>(waiting: readonly T[], keyOf: (one: T) => string): T[] {
    const keys = new Set(waiting.map(keyOf));
    for (const key of this.#turns.keys()) if (!keys.has(key)) this.#turns.delete(key);
    const turnOf = (one: T) => this.#turns.get(keyOf(one)) ?? 0;
    return [...waiting].sort((a, b) => turnOf(a) - turnOf(b));
  }

  /** Notes that a key has had its turn. */
  note(key: string): void {
    this.#turns.set(key, ++this.#turn);
  }
}
