/** Impressions and clicks of one creative, or of everything in a campaign, without invalid traffic. */
export interface ClickCounts {
  impressions: number;
  clicks: number;
}

/** The click rate that is assumed before anything was seen: what search and native placements usually have. */
const USUAL_RATE = 0.01;
/** A campaign's own counts weigh as much as the usual rate after this many impressions, a creative's as much as its campaign's. */
const CAMPAIGN_PRIOR_IMPRESSIONS = 1000;
const CREATIVE_PRIOR_IMPRESSIONS = 300;
/** How much better than predicted an unseen creative is taken to be; the benefit fades with the root of its impressions. */
const EXPLORATION_MAX = 0.2;

export interface ClickRate {
  /** Smoothed clicks for each impression. */
  rate: number;
  /** 1 to 1.2: what a creative with few impressions gets on top, so that it comes to be seen at all. */
  exploration: number;
  /** What was seen of the creative itself; of its campaign for a product, whose events are counted there. */
  seen: ClickCounts;
}

const NOTHING_SEEN: ClickCounts = { impressions: 0, clicks: 0 };

/**
 * Predicted click rates: each creative's counts are drawn towards its campaign's, and those towards the usual rate (the
 * mean of a beta posterior, with the priors above as its strength). Exploration is optimism in the face of uncertainty
 * (UCB, Auer et al. 2002) and depends on counts alone, so creatives that were seen equally often keep their order.
 */
export class ClickRates {
  readonly #campaigns = new Map<string, ClickCounts>();
  readonly #creatives = new Map<string, ClickCounts>();

  /** `creativeId` is "" for the products of a campaign. */
  add(campaignId: string, creativeId: string, { impressions, clicks }: ClickCounts): void {
    const campaign = this.#campaigns.get(campaignId) ?? NOTHING_SEEN;
    this.#campaigns.set(campaignId, {
      impressions: campaign.impressions + impressions,
      clicks: campaign.clicks + clicks,
    });
    if (creativeId !== "") this.#creatives.set(creativeId, { impressions, clicks });
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

/** More clicks than impressions are possible: a click may come of an offer whose impression was never reported. */
const smoothed = ({ impressions, clicks }: ClickCounts, prior: number, strength: number): number =>
  Math.min(1, (Math.min(clicks, impressions) + prior * strength) / (impressions + strength));

const explorationOf = ({ impressions }: ClickCounts): number =>
  1 + EXPLORATION_MAX * Math.sqrt(CREATIVE_PRIOR_IMPRESSIONS / (CREATIVE_PRIOR_IMPRESSIONS + impressions));
