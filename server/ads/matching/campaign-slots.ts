import type { ServingCampaign } from "../serving/serving";
import { grown } from "./grown";

/** A campaign and the documents of its items. */
export interface Slot {
  campaign: ServingCampaign;
  creatives: Set<number>;
  products: Set<number>;
}

/**
 * Campaigns, numbered from 0. What a decision reads for each item that it finds is in typed arrays: reading it from the
 * campaign's object takes several times longer, because the objects of many campaigns are in no CPU cache.
 */
export class CampaignSlots {
  readonly #slots: (Slot | undefined)[] = [];
  readonly #byCampaign = new Map<string, number>();
  readonly #free: number[] = [];
  readonly #advertisers = new Numbers();
  #paced = new Uint8Array(64);
  #bids = new Float64Array(64);
  #advertiserAt = new Int32Array(64);

  /** One more than the highest number. */
  get size(): number {
    return this.#slots.length;
  }

  at(slot: number): Slot | undefined {
    return this.#slots[slot];
  }

  find(campaignId: string): number | undefined {
    return this.#byCampaign.get(campaignId);
  }

  *campaigns(): Generator<ServingCampaign> {
    for (const slot of this.#slots) if (slot) yield slot.campaign;
  }

  isPacedAt(slot: number): boolean {
    return this.#paced[slot] === 1;
  }

  bidAt(slot: number): number {
    return this.#bids[slot] as number;
  }

  advertiserAt(slot: number): number {
    return this.#advertiserAt[slot] as number;
  }

  /** Adds or replaces a campaign; returns its number, the campaign before, and whether `isPacedAt` changed. */
  put(campaign: ServingCampaign): { at: number; before: ServingCampaign | undefined; isPacingChanged: boolean } {
    const at = this.#byCampaign.get(campaign.id) ?? this.#free.pop() ?? this.#slots.length;
    if (at >= this.#paced.length) {
      this.#paced = grown(this.#paced, at + 1, Uint8Array);
      this.#bids = grown(this.#bids, at + 1, Float64Array);
      this.#advertiserAt = grown(this.#advertiserAt, at + 1, Int32Array);
    }
    const slot = this.#slots[at];
    const before = slot?.campaign;
    if (slot) slot.campaign = campaign;
    else this.#slots[at] = { campaign, creatives: new Set(), products: new Set() };
    this.#byCampaign.set(campaign.id, at);
    this.#advertiserAt[at] = this.#advertisers.hold(campaign.advertiserId);
    if (before) this.#advertisers.release(before.advertiserId);
    this.#bids[at] = campaign.bidNumber;
    const isPaced = campaign.passRate < 1 ? 1 : 0;
    const isPacingChanged = this.#paced[at] !== isPaced;
    this.#paced[at] = isPaced;
    return { at, before, isPacingChanged };
  }

  /** Its number is used again. */
  remove(at: number): void {
    const campaign = this.#slots[at]?.campaign;
    if (!campaign) return;
    this.#advertisers.release(campaign.advertiserId);
    this.#slots[at] = undefined;
    this.#byCampaign.delete(campaign.id);
    this.#free.push(at);
  }
}

/** Numbers texts from 0; a number is used again when all that hold it have released it. */
class Numbers {
  readonly #held = new Map<string, { number: number; holders: number }>();
  readonly #free: number[] = [];

  hold(text: string): number {
    const known = this.#held.get(text) ?? { number: this.#free.pop() ?? this.#held.size, holders: 0 };
    known.holders++;
    this.#held.set(text, known);
    return known.number;
  }

  release(text: string): void {
    const known = this.#held.get(text);
    if (!known || --known.holders > 0) return;
    this.#held.delete(text);
    this.#free.push(known.number);
  }
}
