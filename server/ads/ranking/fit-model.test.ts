import fc from "fast-check";
import { expect, test } from "vitest";
import { FEATURES, type Features } from "./fit-features";
import { fitOf, thresholdOf } from "./fit-model";
import model from "./fit-model.json" with { type: "json" };

const featuresOf = (values: Readonly<Partial<Features>>): Features => ({
  ...(Object.fromEntries(FEATURES.map((feature) => [feature, 0])) as Features),
  ...values,
});

test("has a weight for every feature and no other", () => {
  expect(Object.keys(model.weights).sort()).toEqual([...FEATURES].sort());
});

test("gives a probability between 0 and 1 whose logit is the sum of the parts", () => {
  const value = fc.double({ min: -20, max: 20, noNaN: true });
  const features = fc
    .tuple(...FEATURES.map(() => value))
    .map((values) => featuresOf(Object.fromEntries(FEATURES.map((feature, i) => [feature, values[i]]))));
  fc.assert(
    fc.property(features, (features) => {
      const { probability, parts } = fitOf(features);
      expect(probability).toBeGreaterThanOrEqual(0);
      expect(probability).toBeLessThanOrEqual(1);
      expect(parts.map(({ feature, value }) => [feature, value])).toEqual(FEATURES.map((one) => [one, features[one]]));
      const logit = model.intercept + parts.reduce((sum, { part }) => sum + part, 0);
      expect(probability).toBeCloseTo(1 / (1 + Math.exp(-logit)), 12);
    }),
  );
});

test("rises with what an item has in common with the request, falls with what is beside it", () => {
  const at = (values: Partial<Features>) => fitOf(featuresOf({ coverage: 0.5, ...values })).probability;
  expect(at({ coverage: 1 })).toBeGreaterThan(at({}));
  expect(at({ last_head: 1 })).toBeGreaterThan(at({}));
  expect(at({ specific: 4 })).toBeGreaterThan(at({}));
  expect(at({ rest: 1 })).toBeLessThan(at({}));
  expect(at({ aside: 1 })).toBeLessThan(at({}));
  expect(at({ aside: 1 })).toBeGreaterThan(at({ rest: 1 }));
  expect(at({ asked: 1 })).toBeGreaterThan(at({}));
  expect(at({ empty_share: 0.5 })).toBeLessThan(at({}));
  expect(at({ unspecific: -4 })).toBeLessThan(at({}));
});

test("a stricter channel needs a higher probability", () => {
  const thresholds = (["relaxed", "balanced", "strict"] as const).map(thresholdOf);
  expect(thresholds.every((one) => one > 0 && one < 1)).toBe(true);
  expect(new Set(thresholds).size).toBe(3);
  expect(thresholds.toSorted((a, b) => a - b)).toEqual(thresholds);
});
