import { expect, test } from "vitest";
import { ServingState } from "../matching/serving-state";
import { everything, weighed } from "../matching/titled-index.fixture";
import { readQuery } from "../query/read-query";
import { vocabularyOf } from "../query/vocabulary.fixture";
import { refineScore } from "./refine-score";
import { weighTerms } from "./weigh-terms";

const state = new ServingState();
for (const title of [
  "Zorbel Grinder",
  "Grinder Zorbel",
  "Zorbel Cup",
  "Zorbel Quarl Grinder",
  "",
  "Airfryer",
  "Airfryer",
]) {
  state.index.add(weighed({ title }));
}
const refine = (text: string, [doc, score, coverable]: [number, number, number]) => {
  const { index } = state;
  const wanted = weighTerms(readQuery(text, "en", vocabularyOf(index)).terms, index, everything(index));
  return refineScore({ doc, score }, state, { terms: wanted, wanted, coverable, fit: undefined });
};

test.each([
  ["zorbel grinder", 0, 0.1 + 0.05, "neighbours, and the last word names it"],
  ["zorbel grinder", 1, 0.05 / 2, "the other order, and another word names it"],
  ["zorbel grinder", 2, 0, "one of the words, which does not name it"],
  ["zorbel grinder", 3, 0.05, "not neighbours, but the last word names it"],
  ["zorbel quarl grinder", 3, 0.1 + 0.05, "all in order"],
  ["zorbel quarl grinder", 0, 0.05, "no neighbours of the request"],
  ["zorbel grinder blorf", 0, 0.1 / 2 + 0.05, "the last known word names it"],
  ["grinder", 0, 0.05, "one word has no neighbours"],
  ["zorbel grinder", 4, 0, "no title"],
  ["air fryer", 5, 0.1, "neighbours written as one word"],
])("%j gains from title %d: %d (%s)", (text, doc, gain) => {
  expect(refine(text, [doc, 3, 4])).toBeCloseTo(0.75 + gain);
});

test("a score stays as it is where nothing can be covered", () => {
  expect(refine("zorbel grinder", [0, 3, 0])).toBe(3);
});
