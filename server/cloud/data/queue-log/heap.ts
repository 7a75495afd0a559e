/** A binary heap: the item with the lowest key first. */
export class Heap<T> {
  readonly #items: { key: number; item: T }[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(key: number, item: T): void {
    const items = this.#items;
    const added = { key, item };
    let at = items.length;
    items.push(added);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = items[up];
      if (!parent || parent.key <= key) break;
      items[at] = parent;
      at = up;
    }
    items[at] = added;
  }

  peek(): { key: number; item: T } | undefined {
    return this.#items[0];
  }

  pop(): { key: number; item: T } | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last && items.length > 0) this.#sink(last);
    return top;
  }

  clear(): void {
    this.#items.length = 0;
  }

  /** Puts an item at the top and moves it down to its place. */
  #sink(sunk: { key: number; item: T }): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [a, b] = [items[left], items[left + 1]];
      const [child, next] = a && b && b.key < a.key ? [b, left + 1] : [a, left];
      if (!child || child.key >= sunk.key) break;
      items[at] = child;
      at = next;
    }
    items[at] = sunk;
  }
}
