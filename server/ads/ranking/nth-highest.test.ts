import fc from "fast-check";
import { expect, test } from "vitest";
import { nthHighest } from "./nth-highest";

test("the nth-highest value is that of the sorted list", () => {
  const values = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, 2)), { maxLength: 100 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 30 }), (list, n) => {
      const sorted = list.toSorted((a, b) => b - a);
      // Spare room behind the count, as in reused arrays.
      const array = Float64Array.from([...list, Number.POSITIVE_INFINITY]);
      expect(nthHighest(array, list.length, n) === (sorted[n - 1] ?? Number.NEGATIVE_INFINITY)).toBe(true);
    }),
  );
});
