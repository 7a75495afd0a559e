import type { ClickRate } from "../auction/click-rates";
import type { Found } from "../query/read-query";
import type { ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "../serving/serving";
import type { FilterReason } from "../targeting/filter-campaign";
import type { Nearness } from "./add-neighbours";
import type { Fit } from "./fit-model";

/** An item that may be offered, with everything needed to build the offer. */
export interface Candidate {
  item: ServingItem;
  campaign: ServingCampaign;
  advertiser: ServingAdvertiser;
  /** Only for a product: the text of the campaign's first creative. */
  cta?: string | undefined;
  /** How well the item matches; comparable only within one decision. */
  score: number;
  /** `score` relative to the best one of the decision: 1 for the best, falling steeply. */
  relevance: number;
  /** The expected value of a thousand impressions, in micros: relevance times predicted click rate times bid. */
  value: number;
  /** How much `value` grows per micro of the bid. */
  valuePerMicro: number;
  /** Candidates of another class never replace this one, whatever their bids. */
  rivalry: number;
}

export type OutcomeReason =
  | FilterReason
  | "negative_keyword"
  | "no_match"
  | "catalog_full"
  | "unlikely_fit"
  | "too_little_in_common"
  | "below_quality_floor"
  | "same_advertiser"
  | "same_product"
  | "outranked";

/** The outcome of one item, or of a whole campaign without any item that matches a word of the request. */
export interface CandidateOutcome {
  campaign: ServingCampaign;
  item?: ServingItem | undefined;
  score: number;
  /** The share of the request's meaning that the item covers, 0 to 1. */
  coverage: number;
  /** The cosine of its vector with the query's, if it is among the nearest items. */
  cosine?: number | undefined;
  /** The factors of the expected value; missing if a filter or the gate excluded the item first. */
  parts?: ValueParts | undefined;
  /** 0 for the best candidate; missing if there is a reason. */
  rank?: number | undefined;
  reason?: OutcomeReason | undefined;
}

/** The factors of an expected value. */
export interface ValueParts extends ClickRate {
  relevance: number;
  bidMicros: bigint;
  /** How much more often the item is clicked for the words of the query than usual; 1 if unknown. */
  termAffinity: number;
  /** Per thousand impressions, in micros. */
  value: number;
  /** True if its coverage is high enough, relative to the best one, to compete by value. */
  isAboveFloor: boolean;
}

/** How a request was interpreted. */
export interface Reading {
  /** The text that decided: the query, else the context, else a signal. */
  source: "query" | "context" | "signal";
  /** The words that may name goods, as looked up and as written in the text, and whether each belongs to what was looked for. */
  terms: readonly { word: string; written: string; found: Found; isWanted: boolean }[];
  /** How likely an item fits the request; undefined if no query decided. */
  fit: Fit | undefined;
  /** What the nearest items added to it; undefined without a semantic engine, or if no vector was used. */
  nearness: Nearness | undefined;
  /** The probability that the channel's strictness requires. */
  threshold: number;
  /** The highest share of what was looked for that any item covers, 0 to 1. */
  bestCoverage: number;
  /** The minimum coverage of an item; undefined if nothing was offered. */
  neededCoverage: number | undefined;
  /** What `bestCoverage` had to reach; undefined if the probability decided. */
  coverageThreshold: number | undefined;
}

export interface Decision {
  channel: ServingChannel | undefined;
  /** Best first; more than the limit, so that frequency caps can skip some. */
  candidates: Candidate[];
  /** The words of the query by which its clicks are counted (`learnedTerms`); empty if no query decided. */
  terms: readonly string[];
  /** Only in a traced decision. */
  fates?: CandidateOutcome[] | undefined;
  /** Only in a traced decision: how the request was interpreted, and the coverage of its best match. */
  reading?: Reading | undefined;
}
