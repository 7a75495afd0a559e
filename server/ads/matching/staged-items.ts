import type { ServingItem } from "../serving/serving";
import { WordTally } from "./word-tally";

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
  /** The written words of the title that is removed then; they take too long to find at the end. */
  titleBefore: readonly string[];
}

/** What is staged for one campaign. */
export interface StagedCampaign {
  items: Map<string, StagedItem>;
  /** The words of all `titleBefore`. */
  wordsBefore: WordTally;
}

/** Staged changes by campaign; of several for one item, the last one counts. */
export class StagedItems {
  readonly #byCampaign = new Map<string, StagedCampaign>();

  campaigns(): string[] {
    return [...this.#byCampaign.keys()];
  }

  has(id: string): boolean {
    for (const { items } of this.#byCampaign.values()) if (items.has(id)) return true;
    return false;
  }

  put(staged: StagedItem): void {
    const { campaignId, id } = staged;
    const of = this.#byCampaign.get(campaignId) ?? { items: new Map(), wordsBefore: new WordTally() };
    this.#byCampaign.set(campaignId, of);
    of.items.set(id, staged);
    of.wordsBefore.add(staged.titleBefore);
  }

  take(campaignId: string, id: string): StagedItem | undefined {
    const of = this.#byCampaign.get(campaignId);
    const staged = of?.items.get(id);
    if (!of || !staged) return undefined;
    of.items.delete(id);
    of.wordsBefore.remove(staged.titleBefore);
    if (of.items.size === 0) this.#byCampaign.delete(campaignId);
    return staged;
  }

  takeAll(campaignId: string): StagedCampaign | undefined {
    const of = this.#byCampaign.get(campaignId);
    this.#byCampaign.delete(campaignId);
    return of;
  }
}
