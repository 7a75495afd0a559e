/** Impressions and clicks of one creative, or of everything in a campaign, without invalid traffic. */
export interface ClickCounts {
  impressions: number;
  clicks: number;
}

/** The click rate that is assumed without data: the usual rate of search and native placements. */
export const USUAL_RATE = 0.01;
/**
 * A campaign's own counts have the same weight as the usual rate after this many impressions; a creative's the same as
 * its campaign's.
 */
const CAMPAIGN_PRIOR_IMPRESSIONS = 1000;
const CREATIVE_PRIOR_IMPRESSIONS = 300;
/**
 * How much better than predicted a new creative is assumed to be; the bonus decreases with the square root of its
 * impressions.
 */
const EXPLORATION_MAX = 0.2;

export interface ClickRate {
  /** Smoothed clicks per impression. */
  rate: number;
  /** 1 to 1.2: the bonus of a creative with few impressions, so that it is shown at all. */
  exploration: number;
  /** Counts of the creative itself, or of the campaign for a product, whose events are counted per campaign. */
  seen: ClickCounts;
}

const NOTHING_SEEN: ClickCounts = { impressions: 0, clicks: 0 };

/**
 * Predicts click rates. Each creative's counts are shrunk towards its campaign's rate, and those towards the usual rate
 * (the mean of a beta posterior whose prior strengths are the constants above). Exploration uses optimism in the face
 * of uncertainty (UCB, Auer et al. 2002) and depends only on counts, so creatives with equal impressions keep their
 * order.
 */
export class ClickRates {
  readonly #campaigns = new Map<string, ClickCounts>();
  readonly #creatives = new Map<string, ClickCounts>();

  /** Adds to the existing counts; `creativeId` is "" for the products of a campaign. */
  add(campaignId: string, creativeId: string, counts: ClickCounts): void {
    this.#campaigns.set(campaignId, sumOf(this.#campaigns.get(campaignId), counts));
    if (creativeId !== "") this.#creatives.set(creativeId, sumOf(this.#creatives.get(creativeId), counts));
  }

  of(campaignId: string, creativeId: string): ClickRate {
    const campaign = this.#campaigns.get(campaignId) ?? NOTHING_SEEN;
    const campaignRate = smoothed(campaign, USUAL_RATE, CAMPAIGN_PRIOR_IMPRESSIONS);
    if (creativeId === "") return { rate: campaignRate, exploration: explorationOf(campaign), seen: campaign };
    const creative = this.#creatives.get(creativeId) ?? NOTHING_SEEN;
    const rate = smoothed(creative, campaignRate, CREATIVE_PRIOR_IMPRESSIONS);
    return { rate, exploration: explorationOf(creative), seen: creative };
  }
}

const sumOf = (before: ClickCounts = NOTHING_SEEN, { impressions, clicks }: ClickCounts): ClickCounts => ({
  impressions: before.impressions + impressions,
  clicks: before.clicks + clicks,
});

/** There can be more clicks than impressions, because the impression of a clicked offer may never be reported. */
const smoothed = ({ impressions, clicks }: ClickCounts, prior: number, strength: number): number =>
  Math.min(1, (Math.min(clicks, impressions) + prior * strength) / (impressions + strength));

const explorationOf = ({ impressions }: ClickCounts): number =>
  1 + EXPLORATION_MAX * Math.sqrt(CREATIVE_PRIOR_IMPRESSIONS / (CREATIVE_PRIOR_IMPRESSIONS + impressions));
