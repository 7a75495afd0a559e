import fc from "fast-check";
import { expect, it } from "vitest";
import { idleValues, type ShareDemand, sharePrices } from "./cutting-stock";

const demand: fc.Arbitrary<ShareDemand> = fc
  .uniqueArray(fc.integer({ min: 220, max: 999 }), { minLength: 1, maxLength: 4 })
  .chain((sizes) =>
    fc.record({
      sizes: fc.constant(sizes),
      counts: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: sizes.length, maxLength: sizes.length }),
    }),
  );

it("prices no way to cut a device above one device, and the whole demand at the fewest devices, by brute force", () => {
  fc.assert(
    fc.property(demand, ({ sizes, counts }) => {
      const prices = sharePrices({ sizes, counts });
      const patterns = allPatterns(sizes, 1000);
      for (const pattern of patterns) expect(dot(pattern, prices)).toBeLessThanOrEqual(1 + 1e-6);
      for (const price of prices) expect(price).toBeGreaterThanOrEqual(-1e-6);
      expect(dot(counts, prices)).toBeCloseTo(bestDual(patterns, counts), 5);
    }),
    { numRuns: 60 },
  );
});

it("values an idle part by the best shares that fit in it", () => {
  // 810 leaves 190, which only a share of at most 190 can use.
  const values = idleValues({ sizes: [810, 500], counts: [10, 10] });
  expect(values[1000]).toBe(1);
  expect(values[190]).toBe(0);
  expect(values[500]).toBeCloseTo(0.5);
  expect(values[810]).toBeCloseTo(1);
});

it("values every part of a device at nothing without shares", () => {
  const values = idleValues({ sizes: [], counts: [] });
  expect(values[999]).toBe(0);
  expect(values[1000]).toBe(1);
});

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

/** Every multiset of the sizes that fits. */
function allPatterns(sizes: readonly number[], room: number): number[][] {
  const [size, ...rest] = sizes;
  if (size === undefined) return [[]];
  return Array.from({ length: Math.floor(room / size) + 1 }, (_, count) =>
    allPatterns(rest, room - count * size).map((tail) => [count, ...tail]),
  ).flat();
}

/** The best value of the dual programme: the best of its vertices, each the solution of as many equations as sizes. */
function bestDual(patterns: number[][], counts: readonly number[]): number {
  const axes = counts.map((_, i) => counts.map((__, j) => (i === j ? 1 : 0)));
  const rows = [...patterns.map((row) => ({ row, right: 1 })), ...axes.map((row) => ({ row, right: 0 }))];
  let best = 0;
  for (const chosen of combinations(rows, counts.length)) {
    const prices = solved(chosen);
    if (!prices || prices.some((price) => price < -1e-9)) continue;
    if (patterns.some((pattern) => dot(pattern, prices) > 1 + 1e-9)) continue;
    best = Math.max(best, dot(counts, prices));
  }
  return best;
}

function combinations<T>(values: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return values.flatMap((value, i) => combinations(values.slice(i + 1), size - 1).map((rest) => [value, ...rest]));
}

/** Gaussian elimination; undefined for dependent equations. */
function solved(equations: { row: number[]; right: number }[]): number[] | undefined {
  const n = equations.length;
  const matrix = equations.map(({ row, right }) => [...row, right]);
  for (let column = 0; column < n; column++) {
    const pivot = matrix.findIndex((row, i) => i >= column && Math.abs(row[column] ?? 0) > 1e-12);
    if (pivot < 0) return undefined;
    [matrix[column], matrix[pivot]] = [matrix[pivot] as number[], matrix[column] as number[]];
    const top = matrix[column] as number[];
    for (const row of matrix) {
      if (row === top) continue;
      const factor = (row[column] as number) / (top[column] as number);
      for (let k = column; k <= n; k++) row[k] = (row[k] as number) - factor * (top[k] as number);
    }
  }
  return matrix.map((row, i) => (row[n] as number) / (row[i] as number));
}
