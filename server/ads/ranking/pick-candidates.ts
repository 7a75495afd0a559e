/** An item that passed every filter and the gate. */
export interface Contender {
  doc: number;
  /** Breaks ties: the item's id. */
  id: string;
  advertiserId: string;
  /** Equal for items that are the same product. */
  productKey: string;
  score: number;
}

const ROTATION_DEPTH = 2;

/** Higher score first; equal scores by id, so that every process answers alike. */
export const byRank = (a: Contender, b: Contender): number =>
  b.score - a.score || (a.id < b.id ? -1 : Number(a.id > b.id));

/**
 * The `wanted` best, each advertiser and each product once before any comes again: first what is new in both, then more
 * of advertisers already there, last what repeats a product.
 */
export function pickCandidates(contenders: readonly Contender[], wanted: number): Contender[] {
  const ranked = contenders.toSorted(byRank);
  const tiers: [Contender[], Contender[], Contender[]] = [[], [], []];
  const advertisers = new Set<string>();
  const products = new Set<string>();
  for (const contender of ranked) {
    const repeatsProduct = products.has(contender.productKey);
    const tier = repeatsProduct ? 2 : advertisers.has(contender.advertiserId) ? 1 : 0;
    if (tiers[tier].length >= wanted) continue;
    tiers[tier].push(contender);
    advertisers.add(contender.advertiserId);
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

  /** Whether an item with this score can matter; asked before a contender is made. */
  wants(score: number, advertiserId: string): boolean {
    return score >= this.#floor || score >= (this.#byAdvertiser.get(advertiserId)?.score ?? Number.NEGATIVE_INFINITY);
  }

  add(contender: Contender): void {
    const best = this.#byAdvertiser.get(contender.advertiserId);
    if (!best || byRank(contender, best) < 0) this.#byAdvertiser.set(contender.advertiserId, contender);
    if (contender.score < this.#floor) return;
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
    if (this.#best.length === this.#size) this.#floor = this.#best.at(-1)?.score ?? this.#floor;
  }
}
