/**
 * The maximum share of `total` with max-min fairness: everything is allocated, and no one gets less than another with a
 * larger demand. Infinite if there is enough for all.
 */
export function fairShare(demands: readonly number[], total: number): number {
  let left = total;
  const ascending = demands.toSorted((a, b) => a - b);
  for (const [i, demand] of ascending.entries()) {
    const share = left / (ascending.length - i);
    if (demand > share) return share;
    left -= demand;
  }
  return Number.POSITIVE_INFINITY;
}
