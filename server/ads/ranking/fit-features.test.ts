import { expect, test } from "vitest";
import { generalFrequency } from "../../guard/text/general-words";
import { Accumulators } from "../matching/accumulators";
import { everything, indexOf } from "../matching/titled-index.fixture";
import { readQuery } from "../query/read-query";
import { vocabularyOf } from "../query/vocabulary.fixture";
import { adjacentShare, coverableOf, FEATURES, type Features, featuresOf } from "./fit-features";
import { readChunks } from "./read-chunks";
import { scoreItems } from "./score-items";
import { weighTerms } from "./weigh-terms";

const SHOP = indexOf([
  "Zorbel Grinder",
  "Zorbel Grinder",
  "Grinder for Zorbel",
  "Zorbel Cup",
  "Quarl Lamp",
  "Lamp Stand Quarl",
  { title: "Shelf", content: "holds a murkel" },
]);
const POPULATION = everything(SHOP);

function read(text: string, population = POPULATION, shop = SHOP): Features {
  const { terms, written, clauses } = readQuery(text, "en", vocabularyOf(shop));
  const request = { written, clauses, language: "en" };
  const { chunks, emptyShare } = readChunks(weighTerms(terms, shop, population), request);
  const [chunk] = chunks;
  if (!chunk) throw new Error("The text has no words.");
  const sums = new Accumulators();
  sums.reset(shop.capacity);
  scoreItems(sums, { terms: chunk.terms, weight: 1, admits: population.admits });
  return featuresOf(chunk, { ...request, emptyShare, index: shop, sums, population, counts: population.admits });
}
const feature = (name: keyof Features) => (text: string) => read(text)[name];

test("all features of one request, by hand", () => {
  const features = read("which zorbel grinder should i get for my quarl");
  expect(Object.keys(features)).toEqual([...FEATURES]);
  expect(features.coverage).toBeCloseTo(1, 5);
  // Outside of the wanted "zorbel grinder" and in another phrase is "quarl", which the general list does not have.
  expect(features.rest).toBe(0);
  expect(features.aside).toBeCloseTo(Math.log(2));
  // "Grinder" names two of its three items, doubled and at most 1.
  expect(features.last_head).toBe(1);
  expect(features.best_head).toBe(1);
  expect(features.adjacent).toBe(1);
  expect(features.joint).toBeCloseTo(Math.log(4) / Math.log(11), 5);
  expect(features.empty_share).toBeCloseTo(6 / 9);
  expect(features.question).toBe(0);
  expect(features.length).toBeCloseTo(Math.log(2));
  // Zorbel and quarl are clipped at 4.
  const grinder = Math.min(4, Math.log(3.3 / 8) - Math.log(generalFrequency("grinder")));
  expect(features.specific).toBeCloseTo(4 + grinder);
  expect(features.unspecific).toBe(0);
  expect(features.buying).toBe(0);
  expect(features.asked).toBe(0);
  expect(features.indefinite).toBe(0);
});

test("coverage is the best share of the idf that an item has, half of it outside of titles", () => {
  const coverage = feature("coverage");
  expect(coverage("zorbel")).toBeCloseTo(1, 5);
  expect(coverage("murkel")).toBeCloseTo(0.5, 5);
  expect(coverage("blorf")).toBe(0);
  const { terms } = readQuery("zorbel quarl", "en", vocabularyOf(SHOP));
  const [zorbel, quarl] = weighTerms(terms, SHOP, POPULATION).map(({ idf }) => idf);
  if (zorbel === undefined || quarl === undefined) throw new Error("The text has two terms.");
  expect(coverableOf(weighTerms(terms, SHOP, POPULATION))).toBe(zorbel + quarl);
  expect(read("zorbel quarl").coverage).toBeCloseTo(quarl / (zorbel + quarl), 5);
});

test("rest grows with each other word, less with common ones", () => {
  const rest = feature("rest");
  expect(rest("zorbel grinder")).toBe(0);
  expect(rest("blorf of flurb of zorbel grinder")).toBeCloseTo(Math.log(3));
  expect(rest("music of zorbel grinder")).toBeCloseTo(
    Math.log(1 + Math.min(1, -Math.log(generalFrequency("music")) / 9)),
  );
  expect(rest("music of zorbel grinder")).toBeLessThan(rest("blorf of zorbel grinder"));
});

test.each([
  ["zorbel grinder of blorf", 1, 0],
  ["blorf for zorbel grinder", 1, 0],
  ["zorbel grinder for blorf", 0, 1],
  ["zorbel grinder, blorf", 0, 1],
  ["blorf. zorbel grinder", 0, 1],
  ["blorf but i want a zorbel grinder", 0, 1],
])("words beside the wanted ones in %j: %d in its clause, %d elsewhere", (text, near, elsewhere) => {
  const { rest, aside } = read(text);
  expect(rest).toBeCloseTo(Math.log(1 + near));
  expect(aside).toBeCloseTo(Math.log(1 + elsewhere));
});

test.each([
  ["zorbel grinder", 1, 1],
  ["grinder zorbel", 0.5, 1],
  // Only one plain word is before the "for" of "Grinder for Zorbel", so zorbel names that one of its four items.
  ["zorbel", 0.5, 0.5],
  ["zorbel blorf", 0, 0.5],
  ["cup", 2 / 3, 1],
  ["blorf", 0, 0],
])("the last word of %j is a head noun at %d, the best one at %d", (text, last, best) => {
  const features = read(text);
  expect(features.last_head).toBeCloseTo(last);
  expect(features.best_head).toBeCloseTo(best);
});

test.each([
  ["zorbel", 0.4],
  ["blorf", 0.4],
  ["zorbel grinder", 1],
  ["cup zorbel", 0],
  ["zorbel cup quarl", 0.5],
  ["blorf flurb", 0],
])("neighbours in %j that are neighbours in the best title: %d", (text, share) => {
  expect(read(text).adjacent).toBe(share);
});

test("neighbours may be written as one word in the title", () => {
  const index = indexOf(["Airfryer XL", "Compact Airfryer", "Fryer"]);
  const terms = weighTerms(readQuery("air fryer", "en", vocabularyOf(index)).terms, index, everything(index));
  expect([0, 1, 2].map((doc) => adjacentShare(terms, doc, index))).toEqual([1, 1, 0]);
  expect(adjacentShare(terms.slice(0, 1), 0, index)).toBe(0);
});

test.each([
  ["zorbel", Math.log(5) / Math.log(101)],
  ["cup", Math.log(2) / Math.log(101)],
  ["zorbel grinder", Math.log(4) / Math.log(11)],
  ["quarl zorbel", 0],
  ["zorbel blorf", Math.log(5) / Math.log(101)],
  ["blorf", 0],
  ["murkel shelf", 0],
])("titles with both of the rarest words of %j: %d", (text, joint) => {
  expect(read(text).joint).toBeCloseTo(joint);
});

test.each([
  ["why zorbel", { question: 1, buying: 0, asked: 0, indefinite: 0 }],
  ["zorbel why", { question: 0, buying: 0, asked: 0, indefinite: 0 }],
  ["buy a zorbel", { question: 0, buying: 1, asked: 1, indefinite: 1 }],
  ["any zorbel", { question: 0, buying: 0, asked: 0, indefinite: 1 }],
])("what the words around say: %j", (text, values) => expect(read(text)).toMatchObject(values));

test("specific and unspecific words are summed apart and clipped at 10 and -8", () => {
  const shop = indexOf(["Zorbel Quarl Cup"]);
  const specific = (text: string) => read(text, everything(shop), shop).specific;
  expect([specific("zorbel quarl cup"), specific("zorbel quarl"), specific("zorbel")]).toEqual([10, 8, 4]);
  expect(read("zorbel blorf").unspecific).toBe(-1);
  expect(read("zorbel blorf flurb snarp glonk frimp plook crump dwist gharm").unspecific).toBe(-8);
});

test("words that the best title lacks are not specific, whatever other titles have", () => {
  expect(read("zorbel cup quarl").specific).toBe(read("zorbel cup").specific);
});

test("items outside of the population change nothing", () => {
  const own = { items: 2, admits: (doc: number) => doc === 4 || doc === 5 };
  expect(read("zorbel grinder", own)).toMatchObject({ coverage: 0, last_head: 0, best_head: 0, joint: 0, specific: 0 });
});
