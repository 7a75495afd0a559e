import type { PriceModel } from "../../kernel/money";

/** What became of a campaign's served offers, without invalid traffic. */
export interface SettledCounts {
  served: number;
  impressions: number;
  clicks: number;
}

/** The share of served offers that comes to cost something, before anything was seen: half are seen, one view in a hundred is clicked. */
const USUAL_RATES: Readonly<Record<PriceModel, number>> = { cpm: 0.5, cpc: 0.005 };
/** A campaign's own counts weigh as much as the usual rate after this many offers. */
const PRIOR_SERVED: Readonly<Record<PriceModel, number>> = { cpm: 50, cpc: 1000 };

/** Predicted view rates (cpm) and click rates (cpc) for each served offer: the mean of a beta posterior. */
export class SettleRates {
  readonly #counts = new Map<string, SettledCounts>();

  add(campaignId: string, counts: SettledCounts): void {
    this.#counts.set(campaignId, counts);
  }

  of(campaignId: string, model: PriceModel): number {
    const { served, impressions, clicks } = this.#counts.get(campaignId) ?? { served: 0, impressions: 0, clicks: 0 };
    const settled = Math.min(served, model === "cpm" ? impressions : clicks);
    return (settled + USUAL_RATES[model] * PRIOR_SERVED[model]) / (served + PRIOR_SERVED[model]);
  }
}
