import { nanosPerEvent, type PriceModel } from "../../kernel/money";

/** The inputs for the price of an offer. */
export interface Bidder {
  campaign: { advertiserId: string; model: PriceModel; bidMicros: bigint };
  /** Expected value per thousand impressions, in micros: `valuePerMicro` times the bid. */
  value: number;
  /** What one micro of the bid adds to the value. */
  valuePerMicro: number;
  /** Bidders of another class never take the place of this one, whatever they bid. */
  rivalry: number;
}

/**
 * The reserve price, in micros of a bid: the lowest charge, and the price without a rival. It never exceeds the bid
 * itself.
 */
export interface ReservePrices {
  cpcMicros: number;
  cpmMicros: number;
}

/**
 * The price of one counted event in nanos: the lowest bid with which the winner would have kept its place before the
 * best rival ranked below it (generalised second price, Edelman, Ostrovsky and Schwarz 2007). It is rounded up to a
 * nano, and is at least the reserve and at most the bid. Offers of the same advertiser are not rivals; without a rival,
 * the winner pays the reserve. `ranked` has the bidders in rank order, without those excluded by a frequency cap.
 */
export function secondPriceNanos(winner: Bidder, ranked: readonly Bidder[], reserve: ReservePrices): number {
  const { model, bidMicros } = winner.campaign;
  const bidNanos = Number(nanosPerEvent(model, bidMicros));
  const eventNanos = (micros: number) => Math.ceil(model === "cpm" ? micros : micros * 1000);
  const least = eventNanos(model === "cpm" ? reserve.cpmMicros : reserve.cpcMicros);
  const rival = rivalOf(winner, ranked);
  if (!rival) return Math.min(bidNanos, least);
  if (winner.valuePerMicro <= 0) return bidNanos;
  const second = eventNanos(rival.value / winner.valuePerMicro);
  return Math.min(bidNanos, Math.max(second, least));
}

function rivalOf(winner: Bidder, ranked: readonly Bidder[]): Bidder | undefined {
  const { advertiserId } = winner.campaign;
  for (let i = ranked.indexOf(winner) + 1; i < ranked.length; i++) {
    const other = ranked[i];
    if (other && other.campaign.advertiserId !== advertiserId && other.rivalry === winner.rivalry) return other;
  }
  return undefined;
}
