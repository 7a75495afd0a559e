/** How many of a set of titles have a word. */
export class WordTally {
  readonly #titles = new Map<string, number>();

  entries(): MapIterator<[word: string, titles: number]> {
    return this.#titles.entries();
  }

  add(words: readonly string[]): void {
    for (const word of words) this.#titles.set(word, (this.#titles.get(word) ?? 0) + 1);
  }

  remove(words: readonly string[]): void {
    for (const word of words) {
      const left = (this.#titles.get(word) ?? 0) - 1;
      if (left > 0) this.#titles.set(word, left);
      else this.#titles.delete(word);
    }
  }

  clear(): void {
    this.#titles.clear();
  }
}
