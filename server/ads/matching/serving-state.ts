import { languageOf } from "../../guard/text/tokenizer";
import type { ClickRates } from "../auction/click-rates";
import type { TermAffinity } from "../auction/term-affinity";
import { isUnfunded, type NetworkBuyer } from "../network/network-blocks";
import type { ItemDetail, ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "../serving/serving";
import type { Slot } from "./campaign-slots";
import { itemBytes } from "./item-memory";
import { type ItemText, itemWords, writtenTitle } from "./item-words";
import { LiveSnapshot } from "./live-snapshot";
import { type PreparedItem, textPrint } from "./prepare-item";
import type { StagedItem } from "./staged-items";
import { type WeighedWords, weighWords } from "./weigh-words";

/** All data for serving, updated change by change; nothing here does I/O. */
export class ServingState extends LiveSnapshot {
  /** Replaces the known click rates. */
  putClickRates(rates: ClickRates): void {
    this.changed();
    this.clickRates = rates;
    this.items.forgetWorths();
  }

  /** Replaces what is known about words and items. */
  putTermAffinity(affinity: TermAffinity): void {
    this.changed();
    this.affinity = affinity;
  }

  putChannel(channel: ServingChannel): void {
    this.channelsById.set(channel.id, channel);
    this.campaignsChanged();
  }

  removeChannel(id: string): void {
    this.channelsById.delete(id);
    this.campaignsChanged();
  }

  putAdvertiser(advertiser: ServingAdvertiser): void {
    this.advertisersById.set(advertiser.id, advertiser);
    if (advertiser.copiedFrom !== undefined) this.copies.set(advertiser.copiedFrom, advertiser.id);
    this.campaignsChanged();
  }

  removeAdvertiser(id: string): void {
    const copiedFrom = this.advertisersById.get(id)?.copiedFrom;
    if (copiedFrom !== undefined) this.copies.delete(copiedFrom);
    this.advertisersById.delete(id);
    this.campaignsChanged();
  }

  /** Replaces the data of these buyers; cached verdicts are dropped only if one may change. */
  putBuyers(buyers: readonly NetworkBuyer[]): void {
    const moved = new Map<string, { before: NetworkBuyer; after: NetworkBuyer }>();
    for (const after of buyers) {
      const before = this.buyers.get(after.id);
      this.buyers.set(after.id, after);
      if (!before || before.isHouse !== after.isHouse || before.emailVerified !== after.emailVerified) {
        this.campaignsChanged();
      } else if (before.availableNanos !== after.availableNanos) moved.set(after.id, { before, after });
    }
    if (moved.size > 0 && this.#isFundingChanged(moved)) this.campaignsChanged();
  }

  #isFundingChanged(moved: ReadonlyMap<string, { before: NetworkBuyer; after: NetworkBuyer }>): boolean {
    for (const campaign of this.campaigns()) {
      const of = campaign.reach === "network" ? moved.get(campaign.tenantId) : undefined;
      if (of && isUnfunded(campaign, of.before) !== isUnfunded(campaign, of.after)) return true;
    }
    return false;
  }

  putCampaign(campaign: ServingCampaign): void {
    this.campaignsChanged();
    const { at, before = campaign } = this.campaignSlots.put(campaign);
    this.keywords.put(at, campaign.keywords);
    if (keywordText(campaign) === keywordText(before)) return;
    for (const doc of [...this.creativesAt(at)]) {
      const item = this.items.at(doc);
      if (item) this.putItem(item, []);
    }
  }

  /** Replaces a campaign of which only the spend changed. */
  updateSpend(campaign: ServingCampaign): void {
    const before = this.campaign(campaign.id);
    if (!before || before === campaign) return;
    if (before.budgetSpent !== campaign.budgetSpent) this.campaignsChanged();
    if (this.campaignSlots.put(campaign).isPacingChanged) this.changed();
  }

  /** Removes a campaign and all of its data, also what is staged. */
  removeCampaign(id: string): void {
    const at = this.campaignSlots.find(id);
    const slot = at === undefined ? undefined : this.campaignSlots.at(at);
    if (at === undefined || !slot) return;
    this.campaignsChanged();
    this.dropStaged(id);
    for (const doc of [...slot.creatives, ...slot.products]) this.#removeDoc(doc);
    this.keywords.put(at, []);
    this.campaignSlots.remove(at);
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
    const at = this.campaignSlots.find(item.campaignId) ?? -1;
    const slot = this.campaignSlots.at(at);
    const text = this.textOf(item, details);
    if (!slot || !text) return;
    const print = prepared?.print ?? textPrint(text);
    const before = this.items.docOf(item.id);
    if (before !== undefined && this.items.printAt(before) === print) {
      this.#replaceItem(before, item, slot);
      return;
    }
    if (before !== undefined) this.#removeDoc(before);
    const indexBytes = this.index.bytes;
    this.changed();
    const doc = this.index.add(prepared ?? weighWords(itemWords(text)));
    this.items.add(doc, item, { slot: at, print });
    this.memory.add(doc, slot.campaign, this.index.bytes - indexBytes + itemBytes(item));
    this.bytesOfItems += itemBytes(item);
    (item.kind === "creative" ? slot.creatives : slot.products).add(doc);
  }

  /** For a document whose words do not change. */
  #replaceItem(doc: number, item: ServingItem, { campaign }: Slot): void {
    const before = this.items.at(doc);
    this.changed();
    this.#countBytes(doc, campaign, itemBytes(item) - (before ? itemBytes(before) : 0));
    this.items.replace(doc, item);
  }

  #countBytes(doc: number, campaign: ServingCampaign, by: number): void {
    this.memory.change(doc, campaign, by);
    this.bytesOfItems += by;
  }

  /** Removes an item at once, also from what is staged. */
  removeItem(id: string): void {
    for (const campaignId of this.staged.campaigns()) this.#forgetStaged(this.staged.take(campaignId, id));
    const doc = this.items.docOf(id);
    if (doc !== undefined) this.#removeDoc(doc);
  }

  /**
   * Prepares the addition or replacement of an item: no decision sees a difference before `revealStaged`, which then
   * takes little time. Ignores an item whose campaign does not exist.
   */
  stageItem(item: ServingItem, details: readonly ItemDetail[], prepared?: PreparedItem): void {
    const slot = this.campaignSlots.at(this.campaignSlots.find(item.campaignId) ?? -1);
    const text = this.textOf(item, details);
    if (!slot || !text) return;
    const print = prepared?.print ?? textPrint(text);
    const staged = this.staged.take(item.campaignId, item.id);
    if (staged?.item && staged.print === print) {
      if (staged.doc !== undefined)
        this.#countBytes(staged.doc, slot.campaign, itemBytes(item) - itemBytes(staged.item));
      if (staged.doc !== undefined) this.items.replace(staged.doc, item);
      this.staged.put({ ...staged, item });
      return;
    }
    this.#forgetStaged(staged);
    const before = this.items.docOf(item.id);
    const isSame = before !== undefined && this.items.printAt(before) === print;
    const doc = isSame ? undefined : this.#addHidden(item, slot, prepared ?? weighWords(itemWords(text)));
    if (doc !== undefined) this.items.prepare(doc, item, print);
    const titleBefore = isSame ? [] : this.#titleOf(before);
    this.staged.put({ id: item.id, campaignId: item.campaignId, item, print, doc, titleBefore });
  }

  /** Prepares the removal of an item, for `revealStaged`. */
  stageRemoval(id: string): void {
    const before = this.items.docOf(id);
    const item = before === undefined ? undefined : this.items.at(before);
    if (!item) {
      this.removeItem(id);
      return;
    }
    const { campaignId } = item;
    this.#forgetStaged(this.staged.take(campaignId, id));
    const titleBefore = this.#titleOf(before);
    this.staged.put({ id, campaignId, item: undefined, print: "", doc: undefined, titleBefore });
  }

  /** Makes all that is staged for a campaign visible to decisions, within one turn of the event loop. */
  revealStaged(campaignId: string): void {
    const at = this.campaignSlots.find(campaignId) ?? -1;
    const slot = this.campaignSlots.at(at);
    const staged = this.staged.takeAll(campaignId);
    if (!slot || !staged) return;
    const revealed: number[] = [];
    for (const { id, item, doc } of staged.items.values()) {
      const before = this.items.docOf(id);
      if (item && doc === undefined) {
        if (before !== undefined) this.#replaceItem(before, item, slot);
        continue;
      }
      if (item && doc !== undefined) {
        this.items.place(doc, at);
        (item.kind === "creative" ? slot.creatives : slot.products).add(doc);
        revealed.push(doc);
      }
      if (before !== undefined) this.#removeDoc(before, []);
    }
    for (const [word, titles] of staged.wordsBefore.entries()) this.index.titleWords.remove(word, titles);
    this.index.reveal(revealed);
    this.changed();
  }

  /** Forgets all that is staged for a campaign. */
  dropStaged(campaignId: string): void {
    for (const one of this.staged.takeAll(campaignId)?.items.values() ?? []) this.#forgetStaged(one);
  }

  #addHidden(item: ServingItem, { campaign }: Slot, words: WeighedWords): number {
    const indexBytes = this.index.bytes;
    const doc = this.index.add(words, true);
    this.memory.add(doc, campaign, this.index.bytes - indexBytes + itemBytes(item));
    this.bytesOfItems += itemBytes(item);
    return doc;
  }

  #forgetStaged(staged: StagedItem | undefined): void {
    const { item, doc } = staged ?? {};
    const campaign = item && this.campaign(item.campaignId);
    if (!item || doc === undefined) return;
    if (campaign) this.memory.remove(doc, campaign);
    this.bytesOfItems -= itemBytes(item);
    this.items.remove(doc);
    this.index.remove(doc, []);
  }

  #titleOf(doc: number | undefined): readonly string[] {
    const item = doc === undefined ? undefined : this.items.at(doc);
    return item ? writtenTitle(item) : [];
  }

  #removeDoc(doc: number, title = this.#titleOf(doc)): void {
    this.changed();
    const item = this.items.at(doc);
    const slot = this.campaignSlots.at(this.slotOf(doc));
    slot?.creatives.delete(doc);
    slot?.products.delete(doc);
    if (slot) this.memory.remove(doc, slot.campaign);
    if (item) {
      this.index.remove(doc, title);
      this.bytesOfItems -= itemBytes(item);
    }
    this.items.remove(doc);
  }
}

/** What of a campaign the text of its creatives contains. */
const keywordText = (campaign: ServingCampaign): string => JSON.stringify([languageFor(campaign), campaign.keywords]);

/** The language of a campaign, derived from its target locales if they all share one. */
function languageFor({ targeting }: ServingCampaign): string | undefined {
  const languages = new Set(targeting.locales.map(languageOf));
  return languages.size === 1 ? [...languages][0] : undefined;
}
