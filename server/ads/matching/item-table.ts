import { productNumber } from "../serving/product-key";
import type { ServingItem } from "../serving/serving";
import { grown } from "./grown";

/**
 * Items by document. What a decision reads for each item that it evaluates is in typed arrays; the objects are read only
 * for the few items that it picks.
 */
export class ItemTable {
  readonly #docs = new Map<string, number>();
  readonly #items: (ServingItem | undefined)[] = [];
  readonly #prints: (string | undefined)[] = [];
  #slots = new Int32Array(64).fill(-1);
  #products = new Float64Array(64);
  #inStock = new Uint8Array(64);
  /** NaN until it is computed. */
  #worth = new Float64Array(64).fill(Number.NaN);

  at(doc: number): ServingItem | undefined {
    return this.#items[doc];
  }

  docOf(itemId: string): number | undefined {
    return this.#docs.get(itemId);
  }

  /** A fingerprint of the indexed text. */
  printAt(doc: number): string | undefined {
    return this.#prints[doc];
  }

  slotAt(doc: number): number {
    return this.#slots[doc] as number;
  }

  productAt(doc: number): number {
    return this.#products[doc] as number;
  }

  isInStockAt(doc: number): boolean {
    return this.#inStock[doc] === 1;
  }

  /** Returns what was computed before, or else what `compute` returns. */
  worthAt(doc: number, compute: (doc: number) => number): number {
    const known = this.#worth[doc] as number;
    if (!Number.isNaN(known)) return known;
    const worth = compute(doc);
    this.#worth[doc] = worth;
    return worth;
  }

  forgetWorths(): void {
    this.#worth.fill(Number.NaN);
  }

  add(doc: number, item: ServingItem, { slot, print }: { slot: number; print: string }): void {
    this.prepare(doc, item, print);
    this.place(doc, slot);
  }

  /** Records a document that has no slot yet, which nothing finds by its item. */
  prepare(doc: number, item: ServingItem, print: string): void {
    if (doc >= this.#slots.length) {
      this.#slots = grown(this.#slots, doc + 1, Int32Array);
      this.#products = grown(this.#products, doc + 1, Float64Array);
      this.#inStock = grown(this.#inStock, doc + 1, Uint8Array);
      this.#worth = grown(this.#worth, doc + 1, Float64Array);
    }
    this.#slots[doc] = -1;
    this.#worth[doc] = Number.NaN;
    this.#prints[doc] = print;
    this.replace(doc, item);
  }

  /** Gives a prepared document its slot; its item has this document from now on. */
  place(doc: number, slot: number): void {
    const item = this.#items[doc];
    if (!item) return;
    this.#slots[doc] = slot;
    this.#docs.set(item.id, doc);
  }

  /** For an item with the same id, campaign and text. */
  replace(doc: number, item: ServingItem): void {
    this.#items[doc] = item;
    this.#products[doc] = productNumber(item);
    this.#inStock[doc] = item.kind === "creative" || item.inStock ? 1 : 0;
  }

  /** The document of its item is forgotten too, unless the item has another one by now. */
  remove(doc: number): void {
    const item = this.#items[doc];
    if (item && this.#docs.get(item.id) === doc) this.#docs.delete(item.id);
    this.#items[doc] = undefined;
    this.#prints[doc] = undefined;
    this.#slots[doc] = -1;
  }
}
