import type { FilterReason } from "./filter-campaign";
import type { ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "./serving";

/** Something that may be offered, with everything that minting the offer needs. */
export interface Candidate {
  item: ServingItem;
  campaign: ServingCampaign;
  advertiser: ServingAdvertiser;
  /** What a campaign-wide product offer borrows from its campaign's first creative. */
  cta?: string | undefined;
  /** Comparable within one decision only. */
  score: number;
}

export type FateReason = FilterReason | "negative_keyword" | "no_match" | "too_little_in_common" | "outranked";

/** What became of one item, or of a whole campaign none of whose items has a word of the request. */
export interface Fate {
  campaign: ServingCampaign;
  item?: ServingItem | undefined;
  score: number;
  /** Share of the request's meaning that the item covers, 0 to 1. */
  coverage: number;
  /** 0 for the best candidate; missing where there is a reason. */
  rank?: number | undefined;
  reason?: FateReason | undefined;
}

export interface Decision {
  channel: ServingChannel | undefined;
  /** Best first, more than the limit so that frequency caps can skip some. */
  candidates: Candidate[];
  /** Only of a traced decision. */
  fates?: Fate[] | undefined;
}
