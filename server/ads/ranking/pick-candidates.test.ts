import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byRank, type Contender, pickCandidates, Shortlist } from "./pick-candidates";

/** "id advertiser product value", such as "a adv1 shoe 5". */
const contender = (text: string, doc: number): Contender => {
  const [, advertiser = "", product = "", value = "0", draw = "0"] = text.split(" ");
  const [one, other] = [advertiser.charCodeAt(0), product.charCodeAt(0)];
  return { doc, advertiser: one, product: other, score: 1, rankValue: Number(value), draw: Number(draw) };
};
const picked = (texts: readonly string[], wanted: number) => {
  const idOf = (doc: number) => texts[doc]?.split(" ")[0] ?? "";
  const candidates = pickCandidates(texts.map(contender), { wanted, idOf });
  return candidates.map(({ contender, tier }) => `${idOf(contender.doc)}${tier}`);
};

describe("pickCandidates", () => {
  test.each([
    ["better ones first", ["a x p 1", "b y q 3", "c z r 2"], ["b0", "c0", "a0"]],
    ["new advertisers before repeated ones", ["a x p 3", "b x q 2", "c y r 1"], ["a0", "c0", "b1"]],
    ["a repeated product last", ["a x p 3", "b y p 2", "c x q 1"], ["a0", "c1", "b4"]],
    ["a poor match behind a repeated advertiser", ["a x p 3", "b y q -2", "c x r 1"], ["a0", "c1", "b2"]],
    [
      "a poor match of the same advertiser behind one of another",
      ["a x p 3", "b x q -1", "c y r -2"],
      ["a0", "c2", "b3"],
    ],
    ["equal values by the draw, then by id", ["b x p 1 .5", "c y q 1 .2", "a z r 1 .5"], ["c0", "a0", "b0"]],
    ["nothing of nothing", [], []],
  ])("%s", (_, texts, ids) => expect(picked(texts, 9)).toEqual(ids));

  test("picks no more than wanted", () => {
    expect(picked(["a x p 3", "b x q 2", "c y r 1"], 2)).toEqual(["a0", "c0"]);
    expect(picked(["a x p 3"], 0)).toEqual([]);
  });

  test("an advertiser of whom only a repeated product was found is still new", () => {
    expect(picked(["a x p 3", "b y p 2", "c y q 1"], 9)).toEqual(["a0", "c0", "b4"]);
  });
});

const contenders = fc
  .array(fc.record({ advertiser: fc.integer({ min: 0, max: 4 }), rankValue: fc.integer({ min: -20, max: 20 }) }), {
    maxLength: 120,
    size: "max",
  })
  .map((list) =>
    list.map(({ advertiser, rankValue }, doc) => ({
      doc,
      advertiser,
      product: doc,
      score: 1,
      rankValue: rankValue || 1,
      draw: 0,
    })),
  );
const idOf = (doc: number) => String(doc).padStart(3, "0");

test("a shortlist keeps what would be picked from all contenders", () => {
  fc.assert(
    fc.property(contenders, fc.integer({ min: 1, max: 8 }), (all, wanted) => {
      const shortlist = new Shortlist({ wanted, idOf });
      for (const one of all) if (shortlist.wants(one.rankValue, one.advertiser)) shortlist.add(one);
      const kept = shortlist.contenders();
      expect(pickCandidates(kept, { wanted, idOf })).toEqual(pickCandidates(all, { wanted, idOf }));
      expect(kept.length).toBeLessThanOrEqual(4 * wanted);
      expect(new Set(kept).size).toBe(kept.length);
    }),
  );
});

test("the order of contenders does not depend on the order in which they were found", () => {
  fc.assert(
    fc.property(contenders, (all) => {
      expect(all.toReversed().sort(byRank(idOf))).toEqual(all.toSorted(byRank(idOf)));
    }),
  );
});
