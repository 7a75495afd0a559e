/** The `n`-th highest of the first `count` values; negative infinity if there are fewer. Fast for a small `n`. */
export function nthHighest(values: Float64Array, count: number, n: number): number {
  const highest = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  let floor = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    if (value <= floor) continue;
    let at = n - 1;
    for (; at > 0 && (highest[at - 1] as number) < value; at--) highest[at] = highest[at - 1] as number;
    highest[at] = value;
    floor = highest[n - 1] as number;
  }
  return floor;
}
