import { nanosPerEvent, type PriceModel } from "../../kernel/money";

/** What the price of an offer depends on. */
export interface Bidder {
  campaign: { advertiserId: string; model: PriceModel; bidMicros: bigint };
  /** Expected value per thousand impressions, in micros: `valuePerMicro` times the bid. */
  value: number;
  /** What one micro of the bid adds to the value. */
  valuePerMicro: number;
  /** Bidders of another class never take this one's place, whatever they bid. */
  rivalry: number;
}

/** The least that is charged where the second price is lower, in micros of a bid; never more than the bid itself. */
export interface ReservePrices {
  cpcMicros: number;
  cpmMicros: number;
}

/**
 * The price of one counted event in nanos: the least bid with which the winner would have kept its place before the best
 * rival behind it (generalised second price, Edelman, Ostrovsky and Schwarz 2007), rounded up to a nano, at least the
 * reserve and at most the bid. Offers of its own advertiser are no rivals; without any rival the winner pays its bid.
 * `ranked` are the bidders in order, less those that a frequency cap kept out.
 */
export function secondPriceNanos(winner: Bidder, ranked: readonly Bidder[], reserve: ReservePrices): number {
  const { model, bidMicros } = winner.campaign;
  const bidNanos = Number(nanosPerEvent(model, bidMicros));
  const rival = rivalOf(winner, ranked);
  if (!rival || winner.valuePerMicro <= 0) return bidNanos;
  const eventNanos = (micros: number) => Math.ceil(model === "cpm" ? micros : micros * 1000);
  const second = eventNanos(rival.value / winner.valuePerMicro);
  const least = eventNanos(model === "cpm" ? reserve.cpmMicros : reserve.cpcMicros);
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
