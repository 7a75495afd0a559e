import { describe, expect, it } from "vitest";
import { FEATURES, type Features } from "../../../../server/ads/ranking/fit-features";
import { fitOf } from "../../../../server/ads/ranking/fit-model";
import { fitParts, logOddsOf, probabilityText, type Reading, signedText } from "./fit-parts";

const NONE = Object.fromEntries(FEATURES.map((feature) => [feature, 0])) as Features;

function partsOf(features: Partial<Features>) {
  const { probability, parts } = fitOf({ ...NONE, ...features });
  const named = parts.map((part): Reading["features"][number] => ({ ...part, description: `About ${part.feature}.` }));
  return fitParts({ probability, features: named, nearest_part: null });
}

describe("fitParts", () => {
  it("begins with the model's constant, and sums to the log-odds of the probability", () => {
    const request = partsOf({ coverage: 0.8, adjacent: 1, question: 1 });
    expect(request?.parts[0]?.label).toBe("Start");
    const sum = request?.parts.reduce((total, { part }) => total + part, 0);
    expect(sum).toBeCloseTo(request?.logOdds ?? Number.NaN, 6);
    expect(request?.parts[0]?.part).toBeCloseTo(partsOf({})?.parts[0]?.part ?? Number.NaN, 6);
  });

  it("orders features by their effect, and names those without one", () => {
    const request = partsOf({ coverage: 1, question: 0.5, adjacent: 1 });
    expect(request?.parts.slice(1).map(({ label }) => label)).toEqual(["Coverage", "Words side by side", "Question"]);
    expect(request?.without).toHaveLength(FEATURES.length - 3);
    expect(request?.without).toContain("Words of wishing");
  });

  it("measures bars against the largest part, with a sentence for each", () => {
    const parts = partsOf({ coverage: 1, question: 1 })?.parts ?? [];
    expect(Math.max(...parts.map(({ share }) => share))).toBe(1);
    for (const { part, share } of parts) expect(share).toBeCloseTo(Math.abs(part) / Math.abs(parts[0]?.part ?? 0), 9);
    expect(parts[1]?.description).toBe("About coverage.");
  });

  it("shows what vectors add as a part of its own", () => {
    const { probability, parts } = fitOf({ ...NONE, question: 1 });
    const features = parts.map((part) => ({ ...part, description: "" }));
    const odds = (probability / (1 - probability)) * Math.exp(2);
    const request = fitParts({ probability: odds / (1 + odds), features, nearest_part: 2 });
    expect(request?.parts.map(({ label }) => label)).toEqual(["Start", "Meaning", "Question"]);
    expect(request?.parts[0]?.part).toBeCloseTo(partsOf({})?.parts[0]?.part ?? Number.NaN, 6);
  });

  it("has nothing to show if no query decided", () =>
    expect(fitParts({ probability: null, features: [], nearest_part: null })).toBeUndefined());

  it("stays finite for a certain fit", () => expect(logOddsOf(1)).toBeLessThan(30));
});

it("never rounds a probability up to its threshold", () => {
  expect(probabilityText(0.6999)).toBe("69%");
  expect(probabilityText(0.7)).toBe("70%");
  expect(probabilityText(0.29)).toBe("29%");
});

it("writes addends with their sign", () => {
  expect([4.512, -2.7, 0].map(signedText)).toEqual(["+4.51", "−2.70", "+0.00"]);
});
