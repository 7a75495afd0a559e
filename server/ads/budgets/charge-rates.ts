import type { PriceModel } from "../../kernel/money";

/** Outcomes of a campaign's served offers, without invalid traffic. */
export interface ChargedCounts {
  served: number;
  impressions: number;
  clicks: number;
}

/**
 * The assumed share of served offers that are charged, without data: half are seen, and one impression in a hundred is
 * clicked.
 */
const USUAL_RATES: Readonly<Record<PriceModel, number>> = { cpm: 0.5, cpc: 0.005 };
/** A campaign's own counts have the same weight as the usual rate after this many offers. */
const PRIOR_SERVED: Readonly<Record<PriceModel, number>> = { cpm: 50, cpc: 1000 };

const NOTHING_SERVED: ChargedCounts = { served: 0, impressions: 0, clicks: 0 };

/** Predicts view rates (cpm) and click rates (cpc) per served offer, as the mean of a beta posterior. */
export class ChargeRates {
  readonly #counts = new Map<string, ChargedCounts>();

  /** Adds to the existing counts. */
  add(campaignId: string, { served, impressions, clicks }: ChargedCounts): void {
    const before = this.#counts.get(campaignId) ?? NOTHING_SERVED;
    this.#counts.set(campaignId, {
      served: before.served + served,
      impressions: before.impressions + impressions,
      clicks: before.clicks + clicks,
    });
  }

  of(campaignId: string, model: PriceModel): number {
    const { served, impressions, clicks } = this.#counts.get(campaignId) ?? NOTHING_SERVED;
    const settled = Math.min(served, model === "cpm" ? impressions : clicks);
    return (settled + USUAL_RATES[model] * PRIOR_SERVED[model]) / (served + PRIOR_SERVED[model]);
  }
}
