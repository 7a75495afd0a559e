/** An item that passed every filter and the gate, in numbers: most contenders are not picked. */
export interface Contender {
  doc: number;
  /** Equal for items of the same advertiser. */
  advertiser: number;
  /** Equal for items that are the same product. */
  product: number;
  score: number;
  /** The sort key of contenders (`rankValueOf`). */
  rankValue: number;
  /** Orders equal offers of different advertisers by the request's seed; set again for each request. */
  draw: number;
}

const ROTATION_DEPTH = 2;

/** How many candidates a request for `limit` offers has: some are skipped by frequency caps. */
export const wantedBy = (limit: number): number => 2 * limit + 6;

/** One is offered; the others replace it if a frequency cap excludes it, or fill a page that has nothing else. */
const VARIANTS_MAX = 8;

/** The id of a document's item. */
export type IdOf = (doc: number) => string;

/**
 * Higher value first; ties are broken by the request's seed, then by id, so that every process returns the same order.
 */
export const byRank =
  (idOf: IdOf) =>
  (a: Contender, b: Contender): number =>
    b.rankValue - a.rankValue || a.draw - b.draw || compareTexts(idOf(a.doc), idOf(b.doc));

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** A contender that was picked, and its tier: contenders of later tiers follow those of earlier tiers. */
export interface Picked {
  contender: Contender;
  tier: Tier;
}

/**
 * 0: good match, and its advertiser is new; 1: good match of an advertiser that already appeared; 2 and 3: the same
 * below the quality floor; 4: its product already appeared.
 */
type Tier = 0 | 1 | 2 | 3 | 4;

interface Picking {
  wanted: number;
  idOf: IdOf;
}

/**
 * Picks the `wanted` best contenders. Among good matches, each advertiser and each product appears once before any
 * repeats. A poor match of another advertiser does not displace a good one, and repeated products come last.
 */
export function pickCandidates(contenders: readonly Contender[], { wanted, idOf }: Picking): Picked[] {
  const ranked = contenders.toSorted(byRank(idOf));
  const tiers: [Picked[], Picked[], Picked[], Picked[], Picked[]] = [[], [], [], [], []];
  const advertisers = new Set<number>();
  const products = new Set<number>();
  for (const contender of ranked) {
    const fit = contender.rankValue < 0 ? 2 : 0;
    const repeat = advertisers.has(contender.advertiser) ? 1 : 0;
    const tier = products.has(contender.product) ? 4 : ((fit + repeat) as Tier);
    if (tiers[tier].length >= wanted) continue;
    tiers[tier].push({ contender, tier });
    if (tier < 4) advertisers.add(contender.advertiser);
    products.add(contender.product);
  }
  return tiers.flat().slice(0, wanted);
}

/**
 * Keeps the best of many contenders in bounded memory: the best one of every advertiser, and the best overall, of which
 * variants of one product leave room for others.
 */
export class Shortlist {
  #best: Contender[] = [];
  readonly #byAdvertiser = new Map<number, Contender>();
  readonly #byRank: ReturnType<typeof byRank>;
  /** How many of the best contenders are kept, beside the best one of every advertiser. */
  readonly size: number;
  #floor = Number.NEGATIVE_INFINITY;

  constructor({ wanted, idOf }: Picking) {
    this.size = wanted * ROTATION_DEPTH;
    this.#byRank = byRank(idOf);
  }

  /** Whether an item with this value can matter; checked before a contender is created. */
  wants(rankValue: number, advertiser: number): boolean {
    if (rankValue >= this.#floor) return true;
    return rankValue >= (this.#byAdvertiser.get(advertiser)?.rankValue ?? Number.NEGATIVE_INFINITY);
  }

  add(contender: Contender): void {
    const best = this.#byAdvertiser.get(contender.advertiser);
    if (!best || this.#byRank(contender, best) < 0) this.#byAdvertiser.set(contender.advertiser, contender);
    if (contender.rankValue < this.#floor) return;
    this.#best.push(contender);
    if (this.#best.length >= 2 * this.size) this.trim();
  }

  contenders(): Contender[] {
    this.trim();
    const leaders = [...this.#byAdvertiser.values()].sort(this.#byRank).slice(0, this.size);
    return [...new Set([...leaders, ...this.#best])];
  }

  /** Keeps only the best contenders, and lets `wants` refuse what cannot be among them. */
  trim(): void {
    const products = new Map<number, number>();
    const kept = this.#best.sort(this.#byRank).filter(({ product }) => {
      const seen = products.get(product) ?? 0;
      products.set(product, seen + 1);
      return seen < VARIANTS_MAX;
    });
    this.#best = kept.slice(0, this.size);
    if (this.#best.length === this.size) this.#floor = this.#best.at(-1)?.rankValue ?? this.#floor;
  }
}
