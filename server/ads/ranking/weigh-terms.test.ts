import { describe, expect, test } from "vitest";
import { generalFrequency } from "../../guard/text/general-words";
import { everything, indexOf, weighed } from "../matching/titled-index.fixture";
import { readQuery } from "../query/read-query";
import { vocabularyOf } from "../query/vocabulary.fixture";
import { weighTerms } from "./weigh-terms";

type Index = ReturnType<typeof indexOf>;
/** Of a shop of 1,000 items, of which only a few are indexed here. */
const shopOf = (index: Index) => ({ ...everything(index), items: 1000 });
const weigh = (index: Index, text: string, population = shopOf(index)) =>
  weighTerms(readQuery(text, "en", vocabularyOf(index)).terms, index, population);
const weighOne = (index: Index, text: string, population = shopOf(index)) => {
  const [term] = weigh(index, text, population);
  if (!term) throw new Error("The text has no term.");
  return term;
};

const SHOP = indexOf([
  "Zorbel Lamp",
  "Zorbel Lamp 17 in",
  "Zorbel",
  "Oak Table for Zorbel",
  "Velvet Wallet",
  { title: "Desk", content: "with a drawer, pays in capital" },
]);

describe("a term", () => {
  test("is counted in titles, as head noun and for its idf", () => {
    const { isKnown, titles, idf, headShare, general } = weighOne(SHOP, "zorbel");
    expect([isKnown, titles, general]).toEqual([true, 4, 3e-6]);
    expect(idf).toBeCloseTo(Math.log(1 + (1000 + 1000 - 4 + 0.5) / (4 + 0.5)));
    // It names one item of four; doubled.
    expect(headShare).toBeCloseTo((2 * 1) / 4);
    expect(weighOne(SHOP, "lamp").headShare).toBe(1);
    expect(weighOne(SHOP, "wallet").headShare).toBeCloseTo(2 / 3);
    expect(weighOne(SHOP, "velvet").headShare).toBe(0);
  });

  test.each([
    ["zorbel", 4, "a word of titles alone"],
    ["table", Math.log((1 + 0.3) / 1001) - Math.log(generalFrequency("table")), "a word between the limits"],
    ["quxquux", -1, "an unknown word"],
    ["account", -4, "an unknown word of general texts"],
    ["drawer", 0, "a word of descriptions"],
    ["capital", Math.log(0.3 / 1001) - Math.log(generalFrequency("capital")), "a common word of descriptions"],
    ["17", 0, "a number"],
    ["tablelamp", Math.log(10.3 / 1001) - Math.log(generalFrequency("table")), "the first half of a split word"],
    ["light", Math.log((0.6 * 2 + 0.3) / 1001) - Math.log(generalFrequency("light")), "another name for a title word"],
    ["zorbal", Math.min(4, Math.log((0.3 * 4 + 0.3) / 1001) - Math.log(3e-6)), "a corrected word"],
    ["tabel", Math.log((0.3 * 1 + 0.3) / 1001) - Math.log(generalFrequency("table")), "a corrected common word"],
  ])("is as specific as its titles and its use say: %s, %d (%s)", (text, specificity) => {
    const clipped = Math.min(4, Math.max(-4, specificity));
    expect(weighOne(SHOP, text).specificity).toBeCloseTo(clipped, 10);
  });

  test("that is known by its stem only is not specific", () => {
    expect(weighOne(indexOf(["Printing Frame"]), "printers").specificity).toBeLessThanOrEqual(0);
    expect(weighOne(indexOf(["Zorbels"]), "zorbel").specificity).toBe(4);
    expect(weighOne(indexOf(["Zorbing"]), "zorbed").specificity).toBe(0);
  });

  test("that is known only together with its neighbour has at least 1.5", () => {
    const index = indexOf(["Airfryer XL", "Compact Airfryer"]);
    const [air, fryer] = weigh(index, "air fryer");
    expect([air?.found, fryer?.found, fryer?.titles, fryer?.isKnown]).toEqual(["joined", "joined", 2, true]);
    expect([air, fryer].every((term) => (term?.specificity ?? 0) >= 1.5)).toBe(true);
  });

  test("whose items were removed is unknown", () => {
    const index = indexOf(["Zorbel", "Lamp"]);
    index.remove(0, weighed({ title: "Zorbel" }).written);
    expect(weighOne(index, "zorbel")).toMatchObject({ isKnown: false, titles: 0, headShare: 0, specificity: -1 });
  });
});

test("what other tenants sell changes nothing", () => {
  const own = ["Zorbel Lamp", "Oak Table", "Table Lamp"];
  const others = Array.from({ length: 30 }, (_, i) => `Table Zorbel ${i}`);
  const [alone, shared] = [indexOf(own), indexOf([...own, ...others])];
  const population = { items: own.length, admits: (doc: number) => doc < own.length };
  const numbersOf = (index: Index) =>
    weigh(index, "zorbel table lamp", population).map(({ isKnown, titles, idf, headShare, specificity }) => ({
      isKnown,
      titles,
      idf,
      headShare,
      specificity,
    }));
  expect(numbersOf(shared)).toEqual(numbersOf(alone));
});

describe("in a long list", () => {
  const index = indexOf(Array.from({ length: 30_000 }, () => "Lamp"));

  test("what is not counted is extrapolated", () => {
    expect(weighOne(index, "lamp")).toMatchObject({ titles: 30_000, headShare: 1 });
    const half = { items: 15_000, admits: (doc: number) => doc % 2 === 0 };
    expect(weighOne(index, "lamp", half).titles / 15_000).toBeCloseTo(1, 2);
  });

  test("the items of a tenant that came last are counted", () => {
    const last = { items: 40, admits: (doc: number) => doc >= 29_960 };
    expect(weighOne(index, "lamp", last)).toMatchObject({ isKnown: true, titles: 40, headShare: 1 });
  });
});
