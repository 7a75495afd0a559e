import { passesPacing } from "../budgets/passes-pacing";
import type { Snapshot, Verdicts, WordCounts } from "../matching/snapshot";
import { type FilterReason, type FilterScene, filterCampaign, filterItem } from "./filter-campaign";
import { pageCategories } from "./page-categories";

const UNKNOWN = 0;
const ADMITTED = 1;
const REFUSED = 2;
const COUNT_TOLERANCE = 0.01;

/**
 * Decides which campaigns may serve a request. Requests from the same place share cached results per campaign until any
 * input of a filter changes; only campaigns with a schedule are checked again for each request.
 */
export class Eligibility {
  readonly scene: FilterScene;
  readonly #snapshot: Snapshot;
  readonly #known: Verdicts;
  readonly #verdicts: Uint8Array;

  readonly #seed: string;
  /** Whether the paced campaigns that were asked about participate in this request, by slot. */
  readonly paced = new Map<number, boolean>();
  #isTimed = false;
  /** How often a campaign was asked about whose participation differs between requests. */
  #passing = 0;

  constructor(snapshot: Snapshot, { seed, ...scene }: Omit<FilterScene, "categories"> & { seed: string }) {
    this.#snapshot = snapshot;
    const categories = pageCategories(scene.request.signals);
    this.scene = { ...scene, categories };
    this.#seed = seed;
    const { geo, device, locale, placement } = scene.request;
    this.#known = snapshot.verdictsOf([scene.channel.id, geo, device, locale, placement, ...categories].join("\n"));
    this.#verdicts = this.#known.bySlot;
  }

  /** Whether a campaign with a schedule was asked about, so that the result is only valid for now. */
  get isTimed(): boolean {
    return this.#isTimed;
  }

  /** Whether a document exists and its campaign may serve. */
  readonly admits = (doc: number): boolean => {
    const slot = this.#snapshot.slotOf(doc);
    return slot >= 0 && this.#verdictOn(slot) === ADMITTED && this.#passes(slot);
  };

  /** Whether an item of a campaign that may serve may serve itself. */
  admitsItem(doc: number): boolean {
    if (this.scene.channel.blockedCategories.length === 0) return this.#snapshot.isInStockAt(doc);
    const item = this.#snapshot.itemAt(doc);
    return item !== undefined && filterItem(this.scene, item) === undefined;
  }

  /** Whether a document exists. */
  readonly exists = (doc: number): boolean => this.#snapshot.slotOf(doc) >= 0;

  /**
   * Remembers what `count` returns for a list of words, for all requests from the same place until anything changes. What
   * depends on paced campaigns or schedules is not remembered.
   */
  countsOf(listId: number, count: () => WordCounts): WordCounts {
    const known = this.#known;
    if (known.countsVersion !== this.#snapshot.version) {
      known.counts.clear();
      known.countsVersion = this.#snapshot.version;
    }
    const before = known.counts.get(listId);
    if (before) return before;
    const passing = this.#passing;
    const counts = count();
    if (passing === this.#passing) known.counts.set(listId, counts);
    return counts;
  }

  /**
   * The number of items of all campaigns that may serve. It is counted again after any change of a campaign, and when
   * the catalog has changed by a hundredth.
   */
  items(): number {
    const known = this.#known;
    const { size } = this.#snapshot.index;
    if (known.items >= 0 && Math.abs(size - known.indexSize) <= size * COUNT_TOLERANCE) return known.items;
    let items = 0;
    for (let slot = 0; slot < this.#snapshot.slots; slot++) {
      const count = this.#snapshot.itemsAt(slot);
      if (count > 0 && this.#verdictOn(slot) === ADMITTED) items += count;
    }
    known.items = items;
    known.indexSize = size;
    return items;
  }

  reasonAgainst(slot: number): FilterReason | undefined {
    return this.#lastingReasonAgainst(slot) ?? (this.#passes(slot) ? undefined : "paced");
  }

  #lastingReasonAgainst(slot: number): FilterReason | undefined {
    if (this.#verdicts[slot] === ADMITTED) return undefined;
    const campaign = this.#snapshot.campaignAt(slot);
    if (!campaign) return undefined;
    const advertiser = this.#snapshot.advertiser(campaign.advertiserId);
    return filterCampaign(this.scene, campaign, { advertiser, buyer: this.#snapshot.buyer(campaign.tenantId) });
  }

  /** Differs between requests, so it is never shared. */
  #passes(slot: number): boolean {
    if (!this.#snapshot.isPacedAt(slot)) return true;
    this.#passing++;
    const known = this.paced.get(slot);
    if (known !== undefined) return known;
    const campaign = this.#snapshot.campaignAt(slot);
    const passes = !campaign || passesPacing(campaign, this.#seed);
    this.paced.set(slot, passes);
    return passes;
  }

  #verdictOn(slot: number): number {
    const known = this.#verdicts[slot] as number;
    if (known !== UNKNOWN) return known;
    const campaign = this.#snapshot.campaignAt(slot);
    const verdict = !campaign || this.#lastingReasonAgainst(slot) !== undefined ? REFUSED : ADMITTED;
    const isLasting = campaign?.startsAtMs === undefined && campaign?.endsAtMs === undefined;
    if (isLasting) this.#verdicts[slot] = verdict;
    else {
      this.#isTimed = true;
      this.#passing++;
    }
    return verdict;
  }
}
