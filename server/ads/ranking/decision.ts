import type { ClickRate } from "../auction/click-rates";
import type { FilterReason } from "./filter-campaign";
import type { ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "./serving";

/** Something that may be offered, with everything that minting the offer needs. */
export interface Candidate {
  item: ServingItem;
  campaign: ServingCampaign;
  advertiser: ServingAdvertiser;
  /** What a campaign-wide product offer borrows from its campaign's first creative. */
  cta?: string | undefined;
  /** How well the item fits; comparable within one decision only. */
  score: number;
  /** `score` against the best of the decision: 1 for the best, falling steeply. */
  relevance: number;
  /** Expected value of a thousand impressions, in micros: relevance times predicted click rate times bid. */
  value: number;
  /** What one micro of the bid adds to `value`. */
  valuePerMicro: number;
  /** Candidates of another class never take this one's place, whatever they bid. */
  rivalry: number;
}

export type FateReason =
  | FilterReason
  | "negative_keyword"
  | "no_match"
  | "too_little_in_common"
  | "below_quality_floor"
  | "same_advertiser"
  | "same_product"
  | "outranked";

/** What became of one item, or of a whole campaign none of whose items has a word of the request. */
export interface Fate {
  campaign: ServingCampaign;
  item?: ServingItem | undefined;
  score: number;
  /** Share of the request's meaning that the item covers, 0 to 1. */
  coverage: number;
  /** What made up the expected value; missing where a filter or the gate spoke first. */
  parts?: ValueParts | undefined;
  /** 0 for the best candidate; missing where there is a reason. */
  rank?: number | undefined;
  reason?: FateReason | undefined;
}

/** The factors of an expected value. */
export interface ValueParts extends ClickRate {
  relevance: number;
  bidMicros: bigint;
  /** Per thousand impressions, in micros. */
  value: number;
  /** Covers enough, beside the best, to compete by value. */
  isAboveFloor: boolean;
}

/** How a request was understood. */
export interface Reading {
  /** What decided: the query, else the context, else a signal. */
  source: "query" | "context" | "signal";
  intent: "buy" | "ask" | "plain";
  /** The words that carry meaning, as they are looked up, each with its weight. */
  terms: readonly { word: string; weight: number }[];
  /** The highest share of the request's meaning that any item covers, 0 to 1. */
  bestCoverage: number;
  /** The share that an item had to cover; undefined when even the best one covered too little and nothing was offered. */
  neededCoverage: number | undefined;
}

export interface Decision {
  channel: ServingChannel | undefined;
  /** Best first, more than the limit so that frequency caps can skip some. */
  candidates: Candidate[];
  /** Only of a traced decision. */
  fates?: Fate[] | undefined;
  /** Only of a traced decision: how the request was read and what its best match covered. */
  reading?: Reading | undefined;
}
