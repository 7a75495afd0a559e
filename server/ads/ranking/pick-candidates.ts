import { shareOf } from "../../kernel/share-of";

/** An item that passed every filter and the gate. */
export interface Contender {
  doc: number;
  /** Breaks ties: the item's id. */
  id: string;
  advertiserId: string;
  /** Equal for items that are the same product. */
  productKey: string;
  score: number;
  /** The sort key of contenders (`rankValueOf`). */
  rankValue: number;
  /** Orders equal offers of different advertisers by the request's seed; set again for each request. */
  draw: number;
}

const ROTATION_DEPTH = 2;

/** How many candidates a request for `limit` offers has: some are skipped by frequency caps. */
export const wantedBy = (limit: number): number => 2 * limit + 6;

/** The order of advertisers among equal offers in one request; an empty seed leaves it to the ids of items. */
export class Draws {
  readonly #seed: string;
  readonly #known = new Map<string, number>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  of(advertiserId: string): number {
    if (this.#seed === "") return 0;
    const known = this.#known.get(advertiserId);
    if (known !== undefined) return known;
    const draw = shareOf(`${advertiserId}\n${this.#seed}`);
    this.#known.set(advertiserId, draw);
    return draw;
  }
}
/** One is offered; the others replace it if a frequency cap excludes it, or fill a page that has nothing else. */
const VARIANTS_MAX = 8;

/**
 * Higher value first; ties are broken by the request's seed, then by id, so that every process returns the same order.
 */
export const byRank = (a: Contender, b: Contender): number =>
  b.rankValue - a.rankValue || a.draw - b.draw || (a.id < b.id ? -1 : Number(a.id > b.id));

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

/**
 * Picks the `wanted` best contenders. Among good matches, each advertiser and each product appears once before any
 * repeats. A poor match of another advertiser does not displace a good one, and repeated products come last.
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

/**
 * Keeps the best of many contenders in bounded memory: the best one of every advertiser, and the best overall, of which
 * variants of one product leave room for others.
 */
export class Shortlist {
  #best: Contender[] = [];
  readonly #byAdvertiser = new Map<string, Contender>();
  /** How many of the best contenders are kept, beside the best one of every advertiser. */
  readonly size: number;
  #floor = Number.NEGATIVE_INFINITY;

  constructor(wanted: number) {
    this.size = wanted * ROTATION_DEPTH;
  }

  /** Whether an item with this value can matter; checked before a contender is created. */
  wants(rankValue: number, advertiserId: string): boolean {
    if (rankValue >= this.#floor) return true;
    return rankValue >= (this.#byAdvertiser.get(advertiserId)?.rankValue ?? Number.NEGATIVE_INFINITY);
  }

  add(contender: Contender): void {
    const best = this.#byAdvertiser.get(contender.advertiserId);
    if (!best || byRank(contender, best) < 0) this.#byAdvertiser.set(contender.advertiserId, contender);
    if (contender.rankValue < this.#floor) return;
    this.#best.push(contender);
    if (this.#best.length >= 2 * this.size) this.trim();
  }

  contenders(): Contender[] {
    this.trim();
    const leaders = [...this.#byAdvertiser.values()].sort(byRank).slice(0, this.size);
    return [...new Set([...leaders, ...this.#best])];
  }

  /** Keeps only the best contenders, and lets `wants` refuse what cannot be among them. */
  trim(): void {
    const products = new Map<string, number>();
    const kept = this.#best.sort(byRank).filter(({ productKey }) => {
      const seen = products.get(productKey) ?? 0;
      products.set(productKey, seen + 1);
      return seen < VARIANTS_MAX;
    });
    this.#best = kept.slice(0, this.size);
    if (this.#best.length === this.size) this.#floor = this.#best.at(-1)?.rankValue ?? this.#floor;
  }
}
