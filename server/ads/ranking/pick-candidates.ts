/** An item that passed every filter and the gate. */
export interface Contender {
  doc: number;
  /** Breaks ties: the item's id. */
  id: string;
  advertiserId: string;
  /** Equal for items that are the same product. */
  productKey: string;
  score: number;
  /** What contenders are put in order by (`rankValueOf`). */
  rankValue: number;
  /** Puts equals of different advertisers in an order of this request's own. */
  draw: number;
}

const ROTATION_DEPTH = 2;

/** Higher value first; equals take turns by the request's seed, then by id, so that every process answers alike. */
export const byRank = (a: Contender, b: Contender): number =>
  b.rankValue - a.rankValue || a.draw - b.draw || (a.id < b.id ? -1 : Number(a.id > b.id));

/** A contender that was picked, and the tier it stands in: nothing of a later tier comes before it. */
export interface Picked {
  contender: Contender;
  tier: Tier;
}

/** 0: fits, and its advertiser is new; 1: fits, and its advertiser came before; 2 and 3: the same below the quality floor; 4: its product came before. */
type Tier = 0 | 1 | 2 | 3 | 4;

/**
 * The `wanted` best, each advertiser and each product once before any comes again among what fits well. A poor fit of
 * another advertiser does not push a good one aside, and what repeats a product comes last.
 */
export function pickCandidates(contenders: readonly Contender[], wanted: number): Picked[] {
  const ranked = contenders.toSorted(byRank);
  const tiers: [Picked[], Picked[], Picked[], Picked[], Picked[]] = [[], [], [], [], []];
  const advertisers = new Set<string>();
  const products = new Set<string>();
  for (const contender of ranked) {
    const fit = contender.rankValue < 0 ? 2 : 0;
    const repeat = advertisers.has(contender.advertiserId) ? 1 : 0;
    const tier = products.has(contender.productKey) ? 4 : ((fit + repeat) as Tier);
    if (tiers[tier].length >= wanted) continue;
    tiers[tier].push({ contender, tier });
    if (tier < 4) advertisers.add(contender.advertiserId);
    products.add(contender.productKey);
  }
  return tiers.flat().slice(0, wanted);
}

/** Keeps the best of many contenders in bounded room: every advertiser's best, and the best of all. */
export class Shortlist {
  readonly #best: Contender[] = [];
  readonly #byAdvertiser = new Map<string, Contender>();
  readonly #size: number;
  #floor = Number.NEGATIVE_INFINITY;

  constructor(wanted: number) {
    this.#size = wanted * ROTATION_DEPTH;
  }

  /** Whether an item with this value can matter; asked before a contender is made. */
  wants(rankValue: number, advertiserId: string): boolean {
    if (rankValue >= this.#floor) return true;
    return rankValue >= (this.#byAdvertiser.get(advertiserId)?.rankValue ?? Number.NEGATIVE_INFINITY);
  }

  add(contender: Contender): void {
    const best = this.#byAdvertiser.get(contender.advertiserId);
    if (!best || byRank(contender, best) < 0) this.#byAdvertiser.set(contender.advertiserId, contender);
    if (contender.rankValue < this.#floor) return;
    this.#best.push(contender);
    if (this.#best.length >= 2 * this.#size) this.#trim();
  }

  contenders(): Contender[] {
    this.#trim();
    const leaders = [...this.#byAdvertiser.values()].sort(byRank).slice(0, this.#size);
    return [...new Set([...leaders, ...this.#best])];
  }

  #trim(): void {
    this.#best.sort(byRank).splice(this.#size);
    if (this.#best.length === this.#size) this.#floor = this.#best.at(-1)?.rankValue ?? this.#floor;
  }
}
