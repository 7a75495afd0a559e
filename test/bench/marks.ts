import { DEPTH, type Rank } from "./engine";

/** A request, and the rating of each product that was rated for it. */
export interface Asked {
  query: string;
  ratings: ReadonlyMap<string, number>;
}

/** One value per request, 0 to 1, higher is better: NDCG@8 with gains 2^rating - 1, P@1, and whether it got an offer. */
export interface Marks {
  ndcg: readonly number[];
  first: readonly number[];
  served: readonly number[];
}

/** Products that nobody rated count as irrelevant. */
export function marksOf(asked: readonly Asked[], rank: Rank): Marks {
  const all = asked.map((one) => markOne(one, rank(one.query)));
  return {
    ndcg: all.map(({ ndcg }) => ndcg),
    first: all.map(({ first }) => first),
    served: all.map(({ served }) => served),
  };
}

function markOne({ ratings }: Asked, ids: readonly string[]): { ndcg: number; first: number; served: number } {
  const gains = ids.slice(0, DEPTH).map((id) => ratings.get(id) ?? 0);
  const ideal = [...ratings.values()].sort((a, b) => b - a).slice(0, DEPTH);
  return {
    ndcg: dcgOf(gains) / dcgOf(ideal),
    first: (gains[0] ?? 0) > 0 ? 1 : 0,
    served: ids.length > 0 ? 1 : 0,
  };
}

const dcgOf = (ratings: readonly number[]): number =>
  ratings.reduce((total, rating, i) => total + (2 ** rating - 1) / Math.log2(i + 2), 0);

/** The share of queries that get an offer, 0 to 1. */
export const shareServed = (queries: readonly string[], rank: Rank): number =>
  queries.filter((query) => rank(query).length > 0).length / queries.length;

export const meanOf = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length;
