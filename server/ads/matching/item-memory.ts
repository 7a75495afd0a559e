import type { Mode } from "../../operation/actor";
import type { ServingCampaign, ServingItem } from "../serving/serving";
import { grown } from "./grown";

/**
 * Memory of one item's objects, map entries and array elements, in addition to its texts and postings; measured by
 * test/bench/catalog-memory.ts.
 */
const ITEM_BYTES = 1100;

type Owner = Pick<ServingCampaign, "tenantId" | "mode">;

/** Tracks how many bytes the items of the index use, by tenant and mode. */
export class ItemMemory {
  #ofDoc = new Int32Array(64);
  readonly #byTenant: Readonly<Record<Mode, Map<string, number>>> = { live: new Map(), test: new Map() };
  readonly #total: Record<Mode, number> = { live: 0, test: 0 };

  /** Records that a document was added. */
  add(doc: number, owner: Owner, bytes: number): void {
    if (doc >= this.#ofDoc.length) this.#ofDoc = grown(this.#ofDoc, doc + 1, Int32Array);
    this.#ofDoc[doc] = 0;
    this.change(doc, owner, bytes);
  }

  /** Changes a document's memory use by `by` bytes, which may be negative. */
  change(doc: number, { tenantId, mode }: Owner, by: number): void {
    this.#ofDoc[doc] = (this.#ofDoc[doc] as number) + by;
    this.#total[mode] += by;
    const ofTenant = (this.#byTenant[mode].get(tenantId) ?? 0) + by;
    if (ofTenant > 0) this.#byTenant[mode].set(tenantId, ofTenant);
    else this.#byTenant[mode].delete(tenantId);
  }

  remove(doc: number, owner: Owner): void {
    this.change(doc, owner, -(this.#ofDoc[doc] as number));
  }

  total(mode: Mode): number {
    return this.#total[mode];
  }

  ofTenant({ tenantId, mode }: Owner): number {
    return this.#byTenant[mode].get(tenantId) ?? 0;
  }

  byTenant(mode: Mode): ReadonlyMap<string, number> {
    return this.#byTenant[mode];
  }
}

/** Memory of an item in addition to its postings. */
export const itemBytes = (item: ServingItem): number => ITEM_BYTES + textBytes(item);

function textBytes(item: ServingItem): number {
  let bytes = 0;
  for (const value of Object.values(item)) {
    if (typeof value === "string") bytes += Buffer.byteLength(value);
    else if (typeof value === "object" && value !== null) bytes += JSON.stringify(value).length;
  }
  return bytes;
}
