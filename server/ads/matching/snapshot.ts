import type { Mode } from "../../operation/actor";
import type { ClickRate } from "../auction/click-rates";
import type { TermAffinity } from "../auction/term-affinity";
import type { NetworkBuyer } from "../network/network-blocks";
import type { ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "../serving/serving";
import type { Accumulators } from "./accumulators";
import type { InvertedIndex } from "./inverted-index";
import type { KeywordIndex } from "./match-keywords";

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
  /** The bid of a slot's campaign in micros. */
  bidAt(slot: number): number;
  /** A number of the advertiser of a slot's campaign. */
  advertiserAt(slot: number): number;
  /** The slot of a document's campaign; -1 for a removed document. */
  slotOf(doc: number): number;
  itemAt(doc: number): ServingItem | undefined;
  /** The product of a document's item as a number (`productNumber`). */
  productAt(doc: number): number;
  /** False for a product that is out of stock. */
  isInStockAt(doc: number): boolean;
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
