import type { ServingItem } from "../serving/serving";

/** A change of an item that is prepared and not yet visible. */
export interface StagedItem {
  id: string;
  campaignId: string;
  /** Undefined for a removal. */
  item: ServingItem | undefined;
  /** A fingerprint of the indexed text. */
  print: string;
  /** The hidden document; undefined if the item's text does not change. */
  doc: number | undefined;
  /** The written words of the title that the item has until then, which take too long to find at the end. */
  titleBefore: readonly string[];
}

/** Staged changes by campaign; of several for one item, the last one counts. */
export class StagedItems {
  readonly #byCampaign = new Map<string, Map<string, StagedItem>>();

  campaigns(): string[] {
    return [...this.#byCampaign.keys()];
  }

  has(id: string): boolean {
    for (const items of this.#byCampaign.values()) if (items.has(id)) return true;
    return false;
  }

  put(staged: StagedItem): void {
    const items = this.#byCampaign.get(staged.campaignId) ?? new Map<string, StagedItem>();
    this.#byCampaign.set(staged.campaignId, items.set(staged.id, staged));
  }

  take(campaignId: string, id: string): StagedItem | undefined {
    const items = this.#byCampaign.get(campaignId);
    const staged = items?.get(id);
    items?.delete(id);
    if (items?.size === 0) this.#byCampaign.delete(campaignId);
    return staged;
  }

  takeAll(campaignId: string): StagedItem[] {
    const staged = [...(this.#byCampaign.get(campaignId)?.values() ?? [])];
    this.#byCampaign.delete(campaignId);
    return staged;
  }
}
