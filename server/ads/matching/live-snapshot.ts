import type { Mode } from "../../operation/actor";
import { type ClickRate, ClickRates } from "../auction/click-rates";
import { worthPerMicro } from "../auction/expected-value";
import { TermAffinity } from "../auction/term-affinity";
import type { NetworkBuyer } from "../network/network-blocks";
import type { ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "../serving/serving";
import { Accumulators } from "./accumulators";
import { CampaignSlots } from "./campaign-slots";
import { InvertedIndex } from "./inverted-index";
import { ItemMemory } from "./item-memory";
import { ItemTable } from "./item-table";
import { KeywordIndex } from "./match-keywords";
import type { Snapshot, Verdicts, WordCounts } from "./snapshot";
import { StagedItems } from "./staged-items";

/**
 * The maximum number of cached combinations of channel, country, device, locale and placement; beyond it the cache is
 * cleared.
 */
const VERDICT_KEYS_MAX = 256;

/** What decisions and other readers see of the data for serving; `ServingState` changes it. */
export abstract class LiveSnapshot implements Snapshot {
  readonly index = new InvertedIndex();
  readonly keywords = new KeywordIndex();
  readonly sums = new Accumulators();
  readonly memory = new ItemMemory();
  readonly leftOut = new Map<string, Map<string, number>>();
  #version = 0;
  protected affinity = new TermAffinity();
  protected bytesOfItems = 0;
  protected readonly channelsById = new Map<string, ServingChannel>();
  protected readonly advertisersById = new Map<string, ServingAdvertiser>();
  /** Ids of copies, by the advertiser from which they were copied. */
  protected readonly copies = new Map<string, string>();
  protected readonly buyers = new Map<string, NetworkBuyer>();
  readonly #verdicts = new Map<string, Verdicts>();
  protected readonly campaignSlots = new CampaignSlots();
  protected readonly items = new ItemTable();
  /** Changes that no decision sees yet. */
  readonly staged = new StagedItems();
  protected clickRates = new ClickRates();

  /** Approximate memory use of the index and its items. */
  get bytes(): number {
    return this.index.bytes + this.bytesOfItems;
  }

  get version(): number {
    return this.#version;
  }

  get slots(): number {
    return this.campaignSlots.size;
  }

  channel(id: string): ServingChannel | undefined {
    return this.channelsById.get(id);
  }

  advertiser(id: string): ServingAdvertiser | undefined {
    return this.advertisersById.get(id);
  }

  advertiserOf(id: string, mode: Mode): string {
    return this.advertisersById.get(id)?.mode === mode ? id : (this.copies.get(id) ?? id);
  }

  buyer(tenantId: string): NetworkBuyer | undefined {
    return this.buyers.get(tenantId);
  }

  campaign(id: string): ServingCampaign | undefined {
    return this.campaignSlots.at(this.campaignSlots.find(id) ?? -1)?.campaign;
  }

  campaignAt(slot: number): ServingCampaign | undefined {
    return this.campaignSlots.at(slot)?.campaign;
  }

  isPacedAt(slot: number): boolean {
    return this.campaignSlots.isPacedAt(slot);
  }

  bidAt(slot: number): number {
    return this.campaignSlots.bidAt(slot);
  }

  advertiserAt(slot: number): number {
    return this.campaignSlots.advertiserAt(slot);
  }

  campaigns(): Generator<ServingCampaign> {
    return this.campaignSlots.campaigns();
  }

  slotOf(doc: number): number {
    return this.items.slotAt(doc);
  }

  itemAt(doc: number): ServingItem | undefined {
    return this.items.at(doc);
  }

  productAt(doc: number): number {
    return this.items.productAt(doc);
  }

  isInStockAt(doc: number): boolean {
    return this.items.isInStockAt(doc);
  }

  docOf(itemId: string): number | undefined {
    return this.items.docOf(itemId);
  }

  /** Whether an item is served or staged. */
  hasItem(id: string): boolean {
    return this.items.docOf(id) !== undefined || this.staged.has(id);
  }

  /** A campaign's products, then its creatives, each in reverse order of addition. */
  itemsOf(campaignId: string): ServingItem[] {
    const slot = this.campaignSlots.at(this.campaignSlots.find(campaignId) ?? -1);
    const docs = slot ? [...[...slot.products].reverse(), ...[...slot.creatives].reverse()] : [];
    return docs.flatMap((doc) => this.items.at(doc) ?? []);
  }

  itemsAt(slot: number): number {
    const at = this.campaignSlots.at(slot);
    return at ? at.creatives.size + at.products.size : 0;
  }

  creativesAt(slot: number): Iterable<number> {
    return this.campaignSlots.at(slot)?.creatives ?? [];
  }

  worthAt(doc: number): number {
    return this.items.worthAt(doc, this.#computeWorth);
  }

  readonly #computeWorth = (doc: number): number => {
    const item = this.items.at(doc);
    const campaign = this.campaignAt(this.slotOf(doc));
    return item && campaign ? worthPerMicro(campaign.model, this.clickRateOf(item)) : 0;
  };

  clickRateOf(item: ServingItem): ClickRate {
    return this.clickRates.of(item.campaignId, item.kind === "creative" ? item.id : "");
  }

  get termAffinity(): TermAffinity {
    return this.affinity;
  }

  get channels(): ReadonlyMap<string, ServingChannel> {
    return this.channelsById;
  }

  verdictsOf(key: string): Verdicts {
    const known = this.#verdicts.get(key);
    if (known) return known;
    if (this.#verdicts.size >= VERDICT_KEYS_MAX) this.#verdicts.clear();
    const bySlot = new Uint8Array(this.campaignSlots.size);
    const made = { bySlot, items: -1, indexSize: 0, counts: new Map<number, WordCounts>(), countsVersion: -1 };
    this.#verdicts.set(key, made);
    return made;
  }

  /** Call this after every change that may change a decision. */
  protected changed(): void {
    this.#version++;
  }

  /** The same, if it may also change which campaigns may serve. */
  protected campaignsChanged(): void {
    this.#version++;
    this.#verdicts.clear();
  }
}
