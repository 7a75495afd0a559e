import { DEPTH, type Rank } from "./engine";
import type { Asked, QuerySet } from "./made-queries";

/** What is marked of a request: 0 to 1, higher is better. */
export const MARKS = ["ndcg", "first", "hit", "reciprocal", "served"] as const;
export type Mark = (typeof MARKS)[number];

/** One value per request. */
export type Marks = Readonly<Record<Mark, readonly number[]>>;

/** The marks of one request: NDCG@8 with gains 2^rating - 1, P@1, hit@8, reciprocal rank, and whether it got an offer. */
type MarksOfOne = Record<Mark, number>;

/** Products that nobody rated count as irrelevant. */
export function marksOf(asked: readonly Asked[], rank: Rank): Marks {
  const all = asked.map((one) => markOne(one, rank(one.query)));
  return Object.fromEntries(MARKS.map((mark) => [mark, all.map((one) => one[mark])])) as Record<Mark, number[]>;
}

function markOne({ ratings }: Asked, ids: readonly string[]): MarksOfOne {
  const gains = ids.slice(0, DEPTH).map((id) => ratings.get(id) ?? 0);
  const ideal = [...ratings.values()].sort((a, b) => b - a).slice(0, DEPTH);
  const firstHit = gains.findIndex((gain) => gain > 0);
  return {
    ndcg: dcgOf(gains) / dcgOf(ideal),
    first: firstHit === 0 ? 1 : 0,
    hit: firstHit >= 0 ? 1 : 0,
    reciprocal: firstHit >= 0 ? 1 / (firstHit + 1) : 0,
    served: ids.length > 0 ? 1 : 0,
  };
}

/** The two marks that a set of this source is judged by; the first decides which peer is best. */
export const mainMarks = ({ source }: Pick<QuerySet, "source">): readonly [Mark, Mark] =>
  source === "judged" ? ["ndcg", "first"] : ["hit", "reciprocal"];

const dcgOf = (ratings: readonly number[]): number =>
  ratings.reduce((total, rating, i) => total + (2 ** rating - 1) / Math.log2(i + 2), 0);

/** The share of queries that get an offer, 0 to 1. */
export const shareServed = (queries: readonly string[], rank: Rank): number =>
  queries.filter((query) => rank(query).length > 0).length / queries.length;

export const meanOf = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length;
