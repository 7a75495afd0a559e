import { setImmediate as nextTurn } from "node:timers/promises";
import type { Neighbours } from "../serving/neighbours";
import { CampaignNumbers } from "./campaign-numbers";
import { createDotProducts, LANES } from "./dot-products";
import { NearestPerCampaign } from "./nearest-per-campaign";

const PAGE_BYTES = 65_536;
const COMPONENTS_MAX = 4096;
const SLICE_ROWS_MAX = 16_384;
/** The bytes that are compared in one turn of the event loop, in about half a millisecond. */
const SLICE_BYTES = 8 * 2 ** 20;
/** The memory begins with the query, followed by the dot products of one slice. */
const DOTS_AT = COMPONENTS_MAX;
const ROWS_AT = DOTS_AT + SLICE_ROWS_MAX * 4;
const GROWTH = 1.5;

export interface ItemVector {
  itemId: string;
  campaignId: string;
  /** As `quantize` returns it. */
  components: Int8Array;
}

/**
 * The vectors of all items in one block of memory outside of the JavaScript heap, compared one by one with a query
 * (exact, no approximation). The first vector determines the number of components; others are ignored.
 */
export class VectorMatrix {
  readonly #bytesMax: number;
  readonly #memory = new WebAssembly.Memory({ initial: Math.ceil(ROWS_AT / PAGE_BYTES) });
  readonly #dots = createDotProducts(this.#memory);
  #components = 0;
  /** Components with padding. */
  #stride = LANES;
  readonly #ids: string[] = [];
  readonly #rowOf = new Map<string, number>();
  readonly #campaigns = new CampaignNumbers();
  /** By row: the number of its campaign, and 1 / the vector's length. */
  readonly #campaignOf: number[] = [];
  readonly #inverseLengths: number[] = [];
  #version = 0;

  /** `bytesMax` limits the memory of the vectors. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#ids.length;
  }

  get bytes(): number {
    return this.size * this.#stride;
  }

  /** Changes with every change of a vector. */
  get version(): number {
    return this.#version;
  }

  has(itemId: string): boolean {
    return this.#rowOf.has(itemId);
  }

  ids(): readonly string[] {
    return this.#ids;
  }

  /** Adds or replaces a vector; false if it has another number of components, is zero or exceeds the memory limit. */
  put({ itemId, campaignId, components }: ItemVector): boolean {
    this.remove(itemId);
    if (this.size === 0) this.#shape(components.length);
    const length = lengthOf(components);
    const isFull = this.bytes + this.#stride > this.#bytesMax;
    if (components.length !== this.#components || this.#components > COMPONENTS_MAX || length === 0 || isFull) {
      return false;
    }
    const row = this.#ids.length;
    this.#reserve(row + 1);
    this.#bytes().set(components, ROWS_AT + row * this.#stride);
    this.#ids.push(itemId);
    this.#rowOf.set(itemId, row);
    this.#campaignOf.push(this.#campaigns.add(campaignId));
    this.#inverseLengths.push(1 / length);
    this.#version++;
    return true;
  }

  /** The last row takes the place of the removed one. */
  remove(itemId: string): void {
    const row = this.#rowOf.get(itemId);
    if (row === undefined) return;
    const last = this.#ids.length - 1;
    const bytes = this.#bytes();
    const [to, from] = [ROWS_AT + row * this.#stride, ROWS_AT + last * this.#stride];
    bytes.copyWithin(to, from, from + this.#stride);
    bytes.fill(0, from, from + this.#stride);
    this.#campaigns.remove(this.#campaignOf[row] as number);
    this.#campaignOf[row] = this.#campaignOf[last] as number;
    this.#inverseLengths[row] = this.#inverseLengths[last] as number;
    const moved = this.#ids[last] as string;
    this.#ids[row] = moved;
    this.#rowOf.set(moved, row);
    this.#rowOf.delete(itemId);
    this.#ids.pop();
    this.#campaignOf.pop();
    this.#inverseLengths.pop();
    this.#version++;
  }

  /**
   * The items with a cosine of at least `cosineMin` with a quantized query: the 64 best of each campaign, so that a
   * large campaign hides no other, and of these the 512 best. Yields to the event loop after each slice; a row that
   * moves meanwhile may be missed.
   */
  async nearest(query: Int8Array, cosineMin: number): Promise<Neighbours> {
    const found = new NearestPerCampaign(cosineMin);
    const length = lengthOf(query);
    if (query.length === this.#components && length > 0) {
      const rowsPerSlice = Math.min(SLICE_ROWS_MAX, Math.ceil(SLICE_BYTES / this.#stride));
      for (let row = 0; row < this.size; row += rowsPerSlice) {
        if (row > 0) await nextTurn();
        this.#compare({ query, length, from: row, count: Math.min(rowsPerSlice, this.size - row) }, found);
      }
    }
    return { ...found.best((row) => this.#ids[row]), cosineMin };
  }

  #compare({ query, length, from, count }: Slice, found: NearestPerCampaign): void {
    if (count <= 0) return;
    this.#bytes().set(query, 0);
    this.#bytes().fill(0, query.length, this.#stride);
    this.#dots({ query: 0, rows: ROWS_AT + from * this.#stride, stride: this.#stride, count, out: DOTS_AT });
    const dots = new Int32Array(this.#memory.buffer, DOTS_AT, count);
    for (let i = 0; i < count; i++) {
      const cosine = ((dots[i] as number) * (this.#inverseLengths[from + i] as number)) / length;
      if (cosine >= found.cosineMin) found.add(from + i, this.#campaignOf[from + i] as number, cosine);
    }
  }

  #shape(components: number): void {
    this.#components = components;
    this.#stride = Math.ceil(components / LANES) * LANES;
  }

  #reserve(rows: number): void {
    const needed = ROWS_AT + rows * this.#stride;
    const { byteLength } = this.#memory.buffer;
    if (needed <= byteLength) return;
    const grownTo = Math.max(needed, Math.min(byteLength * GROWTH, ROWS_AT + this.#bytesMax));
    this.#memory.grow(Math.ceil((grownTo - byteLength) / PAGE_BYTES));
  }

  /** Not kept: growth replaces the buffer. */
  #bytes(): Int8Array {
    return new Int8Array(this.#memory.buffer);
  }
}

interface Slice {
  query: Int8Array;
  /** The length of the query's vector. */
  length: number;
  /** The first row. */
  from: number;
  count: number;
}

function lengthOf(components: Int8Array): number {
  let squares = 0;
  for (const component of components) squares += component * component;
  return Math.sqrt(squares);
}
