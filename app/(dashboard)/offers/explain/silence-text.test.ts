import { expect, it } from "vitest";
import type { Explanation } from "./explained-offer";
import { silenceText } from "./silence-text";

const READING: NonNullable<Explanation["reading"]> = {
  source: "query",
  words: [],
  probability: 0.419,
  threshold: 0.68,
  strictness: "balanced",
  features: [],
  nearest_cosine: null,
  nearest_part: null,
  best_coverage: 0.297,
  needed_coverage: null,
  coverage_threshold: null,
};
const fates = [{}] as Explanation["fates"];

it("names the figure that decided and its threshold", () => {
  expect(silenceText({ reading: READING, fates })).toContain("is 41%; the channel's strictness, balanced, needs 68%.");
  const context = { ...READING, source: "context" as const, probability: null, coverage_threshold: 0.3 };
  expect(silenceText({ reading: context, fates })).toContain("covers 29% of the text; at least 30% is needed.");
});

it("names no threshold where another reason decided", () => {
  expect(silenceText({ reading: null, fates })).toMatch(/no meaningful words/);
  expect(silenceText({ reading: READING, fates: [] })).toMatch(/None of your campaigns/);
  expect(silenceText({ reading: { ...READING, probability: 0.9 }, fates })).toMatch(/reasons are listed below/);
});
