import fc from "fast-check";
import { expect, it } from "vitest";
import { fairShare } from "./fair-share";

it.each([
  [[], 10, Number.POSITIVE_INFINITY],
  [[3, 7], 10, Number.POSITIVE_INFINITY],
  [[100, 1], 10, 9],
  [[100, 50, 2], 10, 4],
  [[100], 10, 10],
  [[5, 5], 0, 0],
])("of demands %j on %d the maximum share is %d", (demands, total, share) => {
  expect(fairShare(demands, total)).toBe(share);
});

it("never allocates more than the total, and leaves nothing while there is demand", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 20 }), fc.nat(5000), (demands, total) => {
      const share = fairShare(demands, total);
      const given = demands.reduce((sum, demand) => sum + Math.min(demand, share), 0);
      const wanted = demands.reduce((sum, demand) => sum + demand, 0);
      expect(given).toBeCloseTo(Math.min(wanted, total), 6);
    }),
  );
});
