import { expect, test } from "vitest";
import { ServingState } from "../matching/serving-state";
import { everything, weighed } from "../matching/titled-index.fixture";
import { readQuery } from "../query/read-query";
import { vocabularyOf } from "../query/vocabulary.fixture";
import { coverableOf } from "./fit-features";
import { scoreItems } from "./score-items";
import { type FoundKinds, wantedKind } from "./wanted-kind";
import { weighTerms } from "./weigh-terms";

const TITLES = ["Wireless Headphones", "Wireless Mouse", "Headphones", "Wireless Mouse Pad", "Wireless Keyboard"];

/** The titles of the wanted kind among those that share a word with the text; undefined if it names no kind. */
function ofKind(text: string, more: Partial<FoundKinds> = {}): string[] | undefined {
  const state = new ServingState();
  for (const title of TITLES) state.index.add(weighed({ title }));
  const { admits, items } = everything(state.index);
  const terms = weighTerms(readQuery(text, "en", vocabularyOf(state.index)).terms, state.index, { admits, items });
  state.sums.reset(state.index.capacity);
  scoreItems(state.sums, { terms, weight: 1, admits });
  const found = state.sums.top(TITLES.length, () => true).toSorted((a, b) => a - b);
  const match = { terms, wanted: terms, coverable: coverableOf(terms), fit: undefined };
  const isOfKind = wantedKind({ snapshot: state, match, nearness: undefined, ...more });
  return isOfKind && found.filter(isOfKind).map((doc) => TITLES[doc] ?? "");
}

test("items with the noun are of the wanted kind", () => {
  expect(ofKind("wireless headphones")).toEqual(["Wireless Headphones", "Headphones"]);
  expect(ofKind("wireless mouse")).toEqual(["Wireless Mouse", "Wireless Mouse Pad"]);
});

test.each([
  ["wireless", "one word"],
  ["wireless zorbel", "a last word that no item has"],
  ["mouse wireless", "a last word that names no kind"],
])("%j names no kind: %s", (text) => {
  expect(ofKind(text)).toBeUndefined();
});

test("where vectors found some items, words decide nothing", () => {
  const nearness = {} as NonNullable<FoundKinds["nearness"]>;
  expect(ofKind("wireless headphones", { nearness })).toBeUndefined();
});
