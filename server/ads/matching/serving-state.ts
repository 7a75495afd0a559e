import type { Mode } from "../../operation/actor";
import { type ClickRate, ClickRates } from "../auction/click-rates";
import { worthPerMicro } from "../auction/expected-value";
import { TermAffinity } from "../auction/term-affinity";
import { isUnfunded, type NetworkBuyer } from "../network/network-blocks";
import type { ItemDetail, ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "../serving/serving";
import { languageOf } from "../text/tokenizer";
import { Accumulators } from "./accumulators";
import { grown } from "./grown";
import { InvertedIndex } from "./inverted-index";
import { ItemMemory, itemBytes } from "./item-memory";
import { type ItemText, itemWords, writtenTitle } from "./item-words";
import { KeywordIndex } from "./match-keywords";
import { type PreparedItem, textPrint } from "./prepare-item";
import { type WeighedWords, weighWords } from "./weigh-words";

/** What is known about requests from one place. */
export interface Verdicts {
  /** One byte per slot. */
  bySlot: Uint8Array;
  /** The items of admitted campaigns, counted when the index had `indexSize` items; -1 before the first count. */
  items: number;
  indexSize: number;
  /** How often admitted items have the words of a list, by the list's id; valid for one version of the snapshot. */
  counts: Map<number, WordCounts>;
  countsVersion: number;
}

/** Items with a word, those that have it in title, brand or category, and those whose kind it names. */
export interface WordCounts {
  docs: number;
  titles: number;
  heads: number;
}

/**
 * The input of a decision. A decision runs within one turn of the event loop and changes are applied between turns, so
 * the live state is its own snapshot and nothing is copied.
 */
export interface Snapshot {
  /**
   * Rises with every change that may change a decision, except of what differs between requests anyway (the pass rates
   * of paced campaigns).
   */
  readonly version: number;
  readonly index: InvertedIndex;
  readonly keywords: Pick<KeywordIndex, "match">;
  /** Scratch sums, without meaning between decisions. */
  readonly sums: Accumulators;
  /** Campaigns are numbered by slot, 0 to `slots` - 1. */
  readonly slots: number;
  /**
   * A cache for everything with the same `key`; it is emptied after any change of a campaign, channel or advertiser.
   */
  verdictsOf(key: string): Verdicts;
  /** The number of items of a slot's campaign. */
  itemsAt(slot: number): number;
  channel(id: string): ServingChannel | undefined;
  advertiser(id: string): ServingAdvertiser | undefined;
  /** The advertiser's id or, in the other mode, that of the copy that has its campaigns of that mode. */
  advertiserOf(id: string, mode: Mode): string;
  /**
   * What determines whether a tenant's network campaigns may serve; undefined until it is read, within about a second.
   */
  buyer(tenantId: string): NetworkBuyer | undefined;
  campaignAt(slot: number): ServingCampaign | undefined;
  /** Whether a slot's campaign skips some requests. */
  isPacedAt(slot: number): boolean;
  /** The slot of a document's campaign; -1 for a removed document. */
  slotOf(doc: number): number;
  itemAt(doc: number): ServingItem | undefined;
  /** The document of an item; undefined if it is not served. */
  docOf(itemId: string): number | undefined;
  /** The documents of a campaign's creatives. */
  creativesAt(slot: number): Iterable<number>;
  /** The value of a micro of bid in a thousand impressions of an item (`worthPerMicro`). */
  worthAt(doc: number): number;
  clickRateOf(item: ServingItem): ClickRate;
  readonly termAffinity: TermAffinity;
  /** Items of campaigns that do not fit into this process's memory limit: by campaign, the bytes of each. */
  readonly leftOut: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * The maximum number of cached combinations of channel, country, device, locale and placement; beyond it the cache is
 * cleared.
 */
const VERDICT_KEYS_MAX = 256;

interface Slot {
  campaign: ServingCampaign;
  creatives: Set<number>;
  products: Set<number>;
}

/** All data for serving, updated change by change; nothing here does I/O. */
export class ServingState implements Snapshot {
  readonly index = new InvertedIndex();
  readonly keywords = new KeywordIndex();
  readonly sums = new Accumulators();
  readonly memory = new ItemMemory();
  readonly leftOut = new Map<string, Map<string, number>>();
  #version = 0;
  #termAffinity = new TermAffinity();
  #itemBytes = 0;
  readonly #channels = new Map<string, ServingChannel>();
  readonly #advertisers = new Map<string, ServingAdvertiser>();
  /** Ids of copies, by the advertiser from which they were copied. */
  readonly #copies = new Map<string, string>();
  readonly #buyers = new Map<string, NetworkBuyer>();
  readonly #verdicts = new Map<string, Verdicts>();
  readonly #slots: (Slot | undefined)[] = [];
  readonly #slotByCampaign = new Map<string, number>();
  readonly #freeSlots: number[] = [];
  readonly #docByItem = new Map<string, number>();
  readonly #items: (ServingItem | undefined)[] = [];
  readonly #prints: (string | undefined)[] = [];
  #slotByDoc = new Int32Array(64).fill(-1);
  /** By slot, separate from the campaigns because it is read for every document that is found. */
  #paced = new Uint8Array(64);
  #clickRates = new ClickRates();
  /** Computed when a decision first needs it; NaN means unknown. */
  #worth = new Float64Array(64).fill(Number.NaN);

  /** Approximate memory use of the index and its items. */
  get bytes(): number {
    return this.index.bytes + this.#itemBytes;
  }

  get version(): number {
    return this.#version;
  }

  get slots(): number {
    return this.#slots.length;
  }

  channel(id: string): ServingChannel | undefined {
    return this.#channels.get(id);
  }

  advertiser(id: string): ServingAdvertiser | undefined {
    return this.#advertisers.get(id);
  }

  advertiserOf(id: string, mode: Mode): string {
    return this.#advertisers.get(id)?.mode === mode ? id : (this.#copies.get(id) ?? id);
  }

  buyer(tenantId: string): NetworkBuyer | undefined {
    return this.#buyers.get(tenantId);
  }

  campaign(id: string): ServingCampaign | undefined {
    const slot = this.#slotByCampaign.get(id);
    return slot === undefined ? undefined : this.#slots[slot]?.campaign;
  }

  campaignAt(slot: number): ServingCampaign | undefined {
    return this.#slots[slot]?.campaign;
  }

  isPacedAt(slot: number): boolean {
    return this.#paced[slot] === 1;
  }

  *campaigns(): Generator<ServingCampaign> {
    for (const slot of this.#slots) if (slot) yield slot.campaign;
  }

  slotOf(doc: number): number {
    return this.#slotByDoc[doc] as number;
  }

  itemAt(doc: number): ServingItem | undefined {
    return this.#items[doc];
  }

  docOf(itemId: string): number | undefined {
    return this.#docByItem.get(itemId);
  }

  hasItem(id: string): boolean {
    return this.#docByItem.has(id);
  }

  /** A campaign's products, then its creatives, each in reverse order of addition. */
  itemsOf(campaignId: string): ServingItem[] {
    const slot = this.#slots[this.#slotByCampaign.get(campaignId) ?? -1];
    const docs = slot ? [...[...slot.products].reverse(), ...[...slot.creatives].reverse()] : [];
    return docs.flatMap((doc) => this.#items[doc] ?? []);
  }

  itemsAt(slot: number): number {
    const at = this.#slots[slot];
    return at ? at.creatives.size + at.products.size : 0;
  }

  creativesAt(slot: number): Iterable<number> {
    return this.#slots[slot]?.creatives ?? [];
  }

  worthAt(doc: number): number {
    const known = this.#worth[doc] as number;
    if (!Number.isNaN(known)) return known;
    const item = this.#items[doc];
    const campaign = item && this.campaign(item.campaignId);
    const worth = campaign ? worthPerMicro(campaign.model, this.clickRateOf(item)) : 0;
    this.#worth[doc] = worth;
    return worth;
  }

  clickRateOf(item: ServingItem): ClickRate {
    return this.#clickRates.of(item.campaignId, item.kind === "creative" ? item.id : "");
  }

  /** Replaces the known click rates. */
  putClickRates(rates: ClickRates): void {
    this.#version++;
    this.#clickRates = rates;
    this.#worth.fill(Number.NaN);
  }

  get termAffinity(): TermAffinity {
    return this.#termAffinity;
  }

  /** Replaces what is known about words and items. */
  putTermAffinity(affinity: TermAffinity): void {
    this.#version++;
    this.#termAffinity = affinity;
  }

  get channels(): ReadonlyMap<string, ServingChannel> {
    return this.#channels;
  }

  verdictsOf(key: string): Verdicts {
    const known = this.#verdicts.get(key);
    if (known) return known;
    if (this.#verdicts.size >= VERDICT_KEYS_MAX) this.#verdicts.clear();
    const bySlot = new Uint8Array(this.#slots.length);
    const made = { bySlot, items: -1, indexSize: 0, counts: new Map<number, WordCounts>(), countsVersion: -1 };
    this.#verdicts.set(key, made);
    return made;
  }

  #campaignsChanged(): void {
    this.#version++;
    this.#verdicts.clear();
  }

  putChannel(channel: ServingChannel): void {
    this.#channels.set(channel.id, channel);
    this.#campaignsChanged();
  }

  removeChannel(id: string): void {
    this.#channels.delete(id);
    this.#campaignsChanged();
  }

  putAdvertiser(advertiser: ServingAdvertiser): void {
    this.#advertisers.set(advertiser.id, advertiser);
    if (advertiser.copiedFrom !== undefined) this.#copies.set(advertiser.copiedFrom, advertiser.id);
    this.#campaignsChanged();
  }

  removeAdvertiser(id: string): void {
    const copiedFrom = this.#advertisers.get(id)?.copiedFrom;
    if (copiedFrom !== undefined) this.#copies.delete(copiedFrom);
    this.#advertisers.delete(id);
    this.#campaignsChanged();
  }

  /** Replaces the data of these buyers; cached verdicts are dropped only if one may change. */
  putBuyers(buyers: readonly NetworkBuyer[]): void {
    const moved = new Map<string, { before: NetworkBuyer; after: NetworkBuyer }>();
    for (const after of buyers) {
      const before = this.#buyers.get(after.id);
      this.#buyers.set(after.id, after);
      if (!before || before.isHouse !== after.isHouse || before.emailVerified !== after.emailVerified) {
        this.#campaignsChanged();
      } else if (before.availableNanos !== after.availableNanos) moved.set(after.id, { before, after });
    }
    if (moved.size > 0 && this.#isFundingChanged(moved)) this.#campaignsChanged();
  }

  #isFundingChanged(moved: ReadonlyMap<string, { before: NetworkBuyer; after: NetworkBuyer }>): boolean {
    for (const campaign of this.campaigns()) {
      const of = campaign.reach === "network" ? moved.get(campaign.tenantId) : undefined;
      if (of && isUnfunded(campaign, of.before) !== isUnfunded(campaign, of.after)) return true;
    }
    return false;
  }

  putCampaign(campaign: ServingCampaign): void {
    this.#campaignsChanged();
    const at = this.#slotByCampaign.get(campaign.id) ?? this.#newSlot(campaign);
    const slot = this.#slots[at] as Slot;
    const textBefore = JSON.stringify([languageFor(slot.campaign), slot.campaign.keywords]);
    this.#setCampaign(at, campaign);
    this.keywords.put(at, campaign.keywords);
    if (JSON.stringify([languageFor(campaign), campaign.keywords]) === textBefore) return;
    for (const doc of [...slot.creatives]) {
      const item = this.#items[doc];
      if (item) this.putItem(item, []);
    }
  }

  /** Replaces a campaign of which only the spend changed. */
  updateSpend(campaign: ServingCampaign): void {
    const at = this.#slotByCampaign.get(campaign.id) ?? -1;
    const before = this.#slots[at]?.campaign;
    if (!before || before === campaign) return;
    if (before.budgetSpent !== campaign.budgetSpent) this.#campaignsChanged();
    this.#setCampaign(at, campaign);
  }

  /** Removes a campaign and all of its data. */
  removeCampaign(id: string): void {
    const at = this.#slotByCampaign.get(id);
    if (at === undefined) return;
    this.#campaignsChanged();
    const slot = this.#slots[at] as Slot;
    for (const doc of [...slot.creatives, ...slot.products]) this.#removeDoc(doc);
    this.keywords.put(at, []);
    this.#slots[at] = undefined;
    this.#slotByCampaign.delete(id);
    this.#freeSlots.push(at);
  }

  /** The indexed text of an item; undefined if its campaign does not exist. */
  textOf(item: ServingItem, details: readonly ItemDetail[]): ItemText | undefined {
    const campaign = this.campaign(item.campaignId);
    if (!campaign) return undefined;
    const keywords = item.kind === "creative" ? campaign.keywords : [];
    return { item, details, keywords, language: languageFor(campaign) };
  }

  /**
   * Adds or replaces a creative or product, or ignores it if its campaign does not exist. Equal texts are not indexed
   * again. `prepared` is the result of `prepareItem` for `textOf`, if another thread has computed it.
   */
  putItem(item: ServingItem, details: readonly ItemDetail[], prepared?: PreparedItem): void {
    const at = this.#slotByCampaign.get(item.campaignId);
    const text = this.textOf(item, details);
    if (at === undefined || !text) return;
    const slot = this.#slots[at] as Slot;
    const print = prepared?.print ?? textPrint(text);
    const before = this.#docByItem.get(item.id);
    if (before !== undefined && this.#prints[before] === print) {
      this.#replaceItem(before, item, slot);
      return;
    }
    if (before !== undefined) this.#removeDoc(before);
    const indexBytes = this.index.bytes;
    const doc = this.#addDoc(at, prepared ?? weighWords(itemWords(text)));
    this.#items[doc] = item;
    this.memory.add(doc, slot.campaign, this.index.bytes - indexBytes + itemBytes(item));
    this.#itemBytes += itemBytes(item);
    this.#prints[doc] = print;
    this.#docByItem.set(item.id, doc);
    (item.kind === "creative" ? slot.creatives : slot.products).add(doc);
  }

  /** For a document whose words do not change. */
  #replaceItem(doc: number, item: ServingItem, { campaign }: Slot): void {
    const before = this.#items[doc];
    const by = itemBytes(item) - (before ? itemBytes(before) : 0);
    this.#version++;
    this.memory.change(doc, campaign, by);
    this.#itemBytes += by;
    this.#items[doc] = item;
  }

  removeItem(id: string): void {
    const doc = this.#docByItem.get(id);
    if (doc !== undefined) this.#removeDoc(doc);
  }

  #addDoc(slot: number, words: WeighedWords): number {
    this.#version++;
    const doc = this.index.add(words);
    if (doc >= this.#slotByDoc.length) this.#slotByDoc = grown(this.#slotByDoc, doc + 1, Int32Array);
    if (doc >= this.#worth.length) this.#worth = grown(this.#worth, doc + 1, Float64Array);
    this.#slotByDoc[doc] = slot;
    this.#worth[doc] = Number.NaN;
    return doc;
  }

  #removeDoc(doc: number): void {
    this.#version++;
    const item = this.#items[doc];
    const slot = this.#slots[this.slotOf(doc)];
    slot?.creatives.delete(doc);
    slot?.products.delete(doc);
    if (slot) this.memory.remove(doc, slot.campaign);
    if (item) {
      this.index.remove(doc, writtenTitle(item));
      this.#docByItem.delete(item.id);
      this.#itemBytes -= itemBytes(item);
    }
    this.#items[doc] = undefined;
    this.#prints[doc] = undefined;
    this.#slotByDoc[doc] = -1;
  }

  #setCampaign(at: number, campaign: ServingCampaign): void {
    const slot = this.#slots[at];
    if (slot) slot.campaign = campaign;
    if (at >= this.#paced.length) this.#paced = grown(this.#paced, at + 1, Uint8Array);
    const isPaced = campaign.passRate < 1 ? 1 : 0;
    if (this.#paced[at] !== isPaced) this.#version++;
    this.#paced[at] = isPaced;
  }

  #newSlot(campaign: ServingCampaign): number {
    const at = this.#freeSlots.pop() ?? this.#slots.length;
    this.#slots[at] = { campaign, creatives: new Set(), products: new Set() };
    this.#slotByCampaign.set(campaign.id, at);
    return at;
  }
}

/** The language of a campaign, derived from its target locales if they all share one. */
function languageFor({ targeting }: ServingCampaign): string | undefined {
  const languages = new Set(targeting.locales.map(languageOf));
  return languages.size === 1 ? [...languages][0] : undefined;
}
