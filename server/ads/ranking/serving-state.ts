import { type ClickRate, ClickRates } from "../auction/click-rates";
import { worthPerMicro } from "../auction/expected-value";
import { Accumulators } from "./accumulators";
import { grown } from "./grown";
import { InvertedIndex, type WeighedWords, weighWords } from "./inverted-index";
import { type ItemText, itemWords } from "./item-words";
import { KeywordIndex } from "./match-keywords";
import { type PreparedItem, textPrint } from "./prepare-item";
import type { ItemDetail, ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "./serving";
import { languageOf, rememberingStem, tokenize } from "./tokenizer";

/**
 * What a decision reads. The decision runs within one turn of the event loop and changes come between turns, so the live
 * state itself is its snapshot: nothing is copied.
 */
export interface Snapshot {
  readonly index: InvertedIndex;
  readonly keywords: Pick<KeywordIndex, "match">;
  /** Scratch sums; what they hold between decisions means nothing. */
  readonly sums: Accumulators;
  /** Campaigns are numbered by slot, 0 to `slots` - 1. */
  readonly slots: number;
  /** Room to remember one byte a slot for everything that `key` stands for; zeros again after any change of a campaign, channel or advertiser. */
  verdictsOf(key: string): Uint8Array;
  channel(id: string): ServingChannel | undefined;
  advertiser(id: string): ServingAdvertiser | undefined;
  campaignAt(slot: number): ServingCampaign | undefined;
  /** Whether a slot's campaign sits out some requests. */
  isPacedAt(slot: number): boolean;
  /** The slot of a document's campaign; -1 for a removed document. */
  slotOf(doc: number): number;
  itemAt(doc: number): ServingItem | undefined;
  /** The stemmed words of an item's title, in order. */
  titleWordsAt(doc: number): readonly string[];
  /** The documents of a campaign's creatives. */
  creativesAt(slot: number): Iterable<number>;
  /** What a micro of bid is worth in a thousand impressions of an item (`worthPerMicro`). */
  worthAt(doc: number): number;
  clickRateOf(item: ServingItem): ClickRate;
}

/** Channels times countries, devices, locales and placements that are asked for: beyond this they start over. */
const VERDICT_KEYS_MAX = 256;

interface Slot {
  campaign: ServingCampaign;
  creatives: Set<number>;
  products: Set<number>;
}

/** Everything that serving knows, kept current by single changes; nothing here does I/O. */
export class ServingState implements Snapshot {
  readonly index = new InvertedIndex();
  readonly keywords = new KeywordIndex();
  readonly sums = new Accumulators();
  readonly #channels = new Map<string, ServingChannel>();
  readonly #advertisers = new Map<string, ServingAdvertiser>();
  readonly #verdicts = new Map<string, Uint8Array>();
  readonly #slots: (Slot | undefined)[] = [];
  readonly #slotByCampaign = new Map<string, number>();
  readonly #freeSlots: number[] = [];
  readonly #docByItem = new Map<string, number>();
  readonly #items: (ServingItem | undefined)[] = [];
  readonly #prints: (string | undefined)[] = [];
  /** Worked out when a decision first asks. */
  readonly #titleWords: (readonly string[] | undefined)[] = [];
  #slotByDoc = new Int32Array(64).fill(-1);
  /** By slot, beside the campaigns themselves: it is asked for every document that is found. */
  #paced = new Uint8Array(64);
  #clickRates = new ClickRates();
  /** Worked out when a decision first asks; NaN is not known yet. */
  #worth = new Float64Array(64).fill(Number.NaN);
  readonly #form = rememberingStem();

  get slots(): number {
    return this.#slots.length;
  }

  channel(id: string): ServingChannel | undefined {
    return this.#channels.get(id);
  }

  advertiser(id: string): ServingAdvertiser | undefined {
    return this.#advertisers.get(id);
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

  titleWordsAt(doc: number): readonly string[] {
    const known = this.#titleWords[doc];
    if (known) return known;
    const words = tokenize(this.#items[doc]?.title ?? "").map(({ word }) => this.#form(word));
    this.#titleWords[doc] = words;
    return words;
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

  /** Replaces what was known about click rates. */
  putClickRates(rates: ClickRates): void {
    this.#clickRates = rates;
    this.#worth.fill(Number.NaN);
  }

  get channels(): ReadonlyMap<string, ServingChannel> {
    return this.#channels;
  }

  verdictsOf(key: string): Uint8Array {
    const known = this.#verdicts.get(key);
    if (known) return known;
    if (this.#verdicts.size >= VERDICT_KEYS_MAX) this.#verdicts.clear();
    const made = new Uint8Array(this.#slots.length);
    this.#verdicts.set(key, made);
    return made;
  }

  putChannel(channel: ServingChannel): void {
    this.#channels.set(channel.id, channel);
    this.#verdicts.clear();
  }

  removeChannel(id: string): void {
    this.#channels.delete(id);
    this.#verdicts.clear();
  }

  putAdvertiser(advertiser: ServingAdvertiser): void {
    this.#advertisers.set(advertiser.id, advertiser);
    this.#verdicts.clear();
  }

  removeAdvertiser(id: string): void {
    this.#advertisers.delete(id);
    this.#verdicts.clear();
  }

  putCampaign(campaign: ServingCampaign): void {
    this.#verdicts.clear();
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

  /** Replaces a campaign that differs in nothing but what it has spent. */
  updateSpend(campaign: ServingCampaign): void {
    const at = this.#slotByCampaign.get(campaign.id) ?? -1;
    const before = this.#slots[at]?.campaign;
    if (!before || before === campaign) return;
    if (before.budgetSpent !== campaign.budgetSpent) this.#verdicts.clear();
    this.#setCampaign(at, campaign);
  }

  /** Forgets a campaign and everything of it. */
  removeCampaign(id: string): void {
    const at = this.#slotByCampaign.get(id);
    if (at === undefined) return;
    this.#verdicts.clear();
    const slot = this.#slots[at] as Slot;
    for (const doc of [...slot.creatives, ...slot.products]) this.#removeDoc(doc);
    this.keywords.put(at, []);
    this.#slots[at] = undefined;
    this.#slotByCampaign.delete(id);
    this.#freeSlots.push(at);
  }

  /** Everything of an item that is indexed; undefined when its campaign is gone. */
  textOf(item: ServingItem, details: readonly ItemDetail[]): ItemText | undefined {
    const campaign = this.campaign(item.campaignId);
    if (!campaign) return undefined;
    const keywords = item.kind === "creative" ? campaign.keywords : [];
    return { item, details, keywords, language: languageFor(campaign) };
  }

  /**
   * Adds or replaces a creative or product; one whose campaign is gone is ignored. Equal texts are not indexed again.
   * `prepared` is what `prepareItem` makes of `textOf`, where another thread has made it.
   */
  putItem(item: ServingItem, details: readonly ItemDetail[], prepared?: PreparedItem): void {
    const at = this.#slotByCampaign.get(item.campaignId);
    const text = this.textOf(item, details);
    if (at === undefined || !text) return;
    const slot = this.#slots[at] as Slot;
    const print = prepared?.print ?? textPrint(text);
    const before = this.#docByItem.get(item.id);
    if (before !== undefined && this.#prints[before] === print) {
      this.#items[before] = item;
      return;
    }
    if (before !== undefined) this.#removeDoc(before);
    const doc = this.#addDoc(at, prepared ?? weighWords(itemWords(text, this.#form)));
    this.#items[doc] = item;
    this.#prints[doc] = print;
    this.#docByItem.set(item.id, doc);
    (item.kind === "creative" ? slot.creatives : slot.products).add(doc);
  }

  removeItem(id: string): void {
    const doc = this.#docByItem.get(id);
    if (doc !== undefined) this.#removeDoc(doc);
  }

  #addDoc(slot: number, words: WeighedWords): number {
    const doc = this.index.addWeighed(words);
    if (doc >= this.#slotByDoc.length) this.#slotByDoc = grown(this.#slotByDoc, doc + 1, Int32Array);
    if (doc >= this.#worth.length) this.#worth = grown(this.#worth, doc + 1, Float64Array);
    this.#slotByDoc[doc] = slot;
    this.#worth[doc] = Number.NaN;
    return doc;
  }

  #removeDoc(doc: number): void {
    const item = this.#items[doc];
    const slot = this.#slots[this.slotOf(doc)];
    slot?.creatives.delete(doc);
    slot?.products.delete(doc);
    if (item) this.#docByItem.delete(item.id);
    this.#items[doc] = undefined;
    this.#prints[doc] = undefined;
    this.#titleWords[doc] = undefined;
    this.#slotByDoc[doc] = -1;
    this.index.remove(doc);
  }

  #setCampaign(at: number, campaign: ServingCampaign): void {
    const slot = this.#slots[at];
    if (slot) slot.campaign = campaign;
    if (at >= this.#paced.length) this.#paced = grown(this.#paced, at + 1, Uint8Array);
    this.#paced[at] = campaign.passRate < 1 ? 1 : 0;
  }

  #newSlot(campaign: ServingCampaign): number {
    const at = this.#freeSlots.pop() ?? this.#slots.length;
    this.#slots[at] = { campaign, creatives: new Set(), products: new Set() };
    this.#slotByCampaign.set(campaign.id, at);
    return at;
  }
}

/** The language that a campaign writes in, told by the locales that it wants: known when they share one. */
function languageFor({ targeting }: ServingCampaign): string | undefined {
  const languages = new Set(targeting.locales.map(languageOf));
  return languages.size === 1 ? [...languages][0] : undefined;
}
