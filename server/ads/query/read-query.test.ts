import { describe, expect, test } from "vitest";
import { indexOf } from "../matching/titled-index.fixture";
import { readQuery } from "./read-query";
import { Vocabulary } from "./vocabulary";
import { vocabularyOf } from "./vocabulary.fixture";

const SHOP = indexOf([
  "Running Shoes",
  "Trail Running Shoes",
  "Gaming Laptop 17 in",
  "Airfryer XL",
  "Compact Airfryer",
  "Oak Table Lamp",
  "Vacuum Cleaner",
  "Headphones",
  { title: "Desk", content: "with a drawer and a lantern" },
]);
const read = (text: string, locale = "en") => readQuery(text, locale, vocabularyOf(SHOP)).terms;
const found = (text: string, locale = "en") => read(text, locale).map(({ written, found }) => `${written} ${found}`);

describe("a word of the query", () => {
  test.each([
    ["laptop", ["laptop known"]],
    ["laptops", ["laptops known"]],
    ["runningshoes", ["running split", "shoes split"]],
    ["tablelamp", ["table split", "lamp split"]],
    ["notebook", ["notebook synonym"]],
    ["hoover", ["hoover synonym"]],
    ["labtop", ["laptop corrected"]],
    ["hedphonse", ["headphones corrected"]],
    ["drawer", ["drawer known"]],
    ["lanterm", ["lanterm unknown"]],
    ["spaceship", ["spaceship unknown"]],
    ["xl17", ["xl17 unknown"]],
    ["99", ["99 unknown"]],
    ["air fryer", ["air joined", "fryer joined"]],
    ["air and fryer", ["air unknown", "fryer unknown"]],
  ])("%j is found as %j", (text, terms) => expect(found(text)).toEqual(terms));

  test("is split rather than corrected, and replaced by a synonym rather than corrected", () => {
    expect(
      readQuery("redbox", "en", vocabularyOf(indexOf(["red", "box", "redbax"]))).terms.map(({ found }) => found),
    ).toEqual(["split", "split"]);
    expect(
      readQuery("sofa", "en", vocabularyOf(indexOf(["couch", "sofas1 sofo"]))).terms.map(({ found }) => found),
    ).toEqual(["synonym"]);
  });

  test("counts less if it was replaced", () => {
    const shares = ["laptop", "labtop", "notebook"].map((text) => read(text)[0]?.sources.map(({ share }) => share));
    expect(shares).toEqual([[1], [0.8], [0.6]]);
  });

  test("is joined only with the word next to it, and to a form in at least two titles", () => {
    expect(read("air fryer").map(({ joined }) => joined?.titles)).toEqual([undefined, 2]);
    expect(readQuery("air fryer", "en", vocabularyOf(indexOf(["Airfryer"]))).terms.map(({ joined }) => joined)).toEqual(
      [undefined, undefined],
    );
  });

  test("is split where the rarer part is in the most titles, but not in an empty catalog or below six letters", () => {
    expect(
      readQuery("carpetcar", "en", vocabularyOf(indexOf(["car", "petcar", "carpet", "carpet", "car"]))).terms,
    ).toMatchObject([{ written: "carpet" }, { written: "car" }]);
    expect(readQuery("tvbox", "en", vocabularyOf(indexOf(["tv", "box"]))).terms).toMatchObject([{ found: "unknown" }]);
    expect(readQuery("headphones", "en", vocabularyOf(indexOf([]))).terms).toMatchObject([
      { written: "headphones", found: "unknown" },
    ]);
  });
});

describe("the words that may name goods", () => {
  test.each([
    ["I am looking for a laptop, please", ["laptop"]],
    ["laptop under 800", ["laptop"]],
    ["laptop under $800", ["laptop"]],
    ["laptop below 800 euros", ["laptop"]],
    ["laptop for less than 50 dollars", ["laptop"]],
    ["laptop under 50 pounds", ["laptop"]],
    ["17 in laptop", ["17", "in", "laptop"]],
    ["under the table", ["table"]],
    ["laptop laptops laptop", ["laptop", "laptops", "laptop"]],
    ["vacuum repair shop", ["vacuum", "repair", "shop"]],
    ["shop vacuum", ["vacuum"]],
    ["shop", []],
    ["", []],
    ["!?", []],
    ["the with for", []],
  ])("of %j are %j", (text, words) => expect(read(text).map(({ written }) => written)).toEqual(words));

  test.each([
    ["Ich suche einen Laptop für unter 800 Euro", "de-AT", ["laptop"]],
    ["laptop moins de 500 euros", "fr", ["laptop"]],
    ["busco un laptop con menos de 500", "es", ["laptop"]],
    ["für laptop", "en", ["fur", "laptop"]],
  ])("depend on the language: %j (%s)", (text, locale, words) => {
    expect(read(text, locale).map(({ written }) => written)).toEqual(words);
  });

  test("keep their places among all words", () => {
    const { written, words, terms } = readQuery("which gaming laptops for my desks", "en", vocabularyOf(SHOP));
    expect(written).toEqual(["which", "gaming", "laptops", "for", "my", "desks"]);
    expect(words).toEqual(["which", "game", "laptop", "for", "my", "desk"]);
    expect(terms.map(({ at }) => at)).toEqual([1, 2, 5]);
  });
});

test("a word of general text is not a misspelled title word", () => {
  const index = indexOf(["Dell Mech Ind", "Dell Mech Ind"]);
  expect(readQuery("self kin lell", "en", vocabularyOf(index)).terms.map(({ found }) => found)).toEqual([
    "unknown",
    "unknown",
    "corrected",
  ]);
});

test.each([
  ["red shoes", []],
  ["it broke, now what? shoes", [2, 4]],
  ["size 1.5, 17in. shoes", [2, 4]],
  ["shoes, ", []],
])("the clauses of %j open at %j", (text, clauses) => {
  expect([...readQuery(text, "en", vocabularyOf(SHOP)).clauses]).toEqual(clauses);
});

test("a German word is also looked up by its German stem", () => {
  const index = indexOf([{ title: "Halterungen", language: "de" }]);
  expect(readQuery("Halterung", "de", vocabularyOf(index)).terms[0]?.found).toBe("known");
  expect(readQuery("Halterung", "en", vocabularyOf(index)).terms[0]?.found).not.toBe("known");
});

test("reads 64 words and looks closely at the first four unknown ones", () => {
  const many = Array.from(
    { length: 200 },
    (_, i) => `xylo${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`,
  );
  const { written, terms } = readQuery([...many, "laptop"].join(" "), "en", vocabularyOf(SHOP));
  expect([written.length, terms.length]).toEqual([64, 64]);
  const last = (unknown: number) => read([...many.slice(0, unknown), "labtop"].join(" ")).at(-1)?.found;
  expect([last(3), last(4)]).toEqual(["corrected", "unknown"]);
});

describe("words of items that may not be offered", () => {
  const OTHERS = ["Zorbul", "Zorbul", "Zorbul Quarl", "Murkel Hint", "Zorquarl", "Zorquarl"];
  const index = indexOf(["Zorbel Lamp", "Zor Lamp", "Quarl Lamp", "Hint", ...OTHERS]);
  const mine = new Vocabulary(index, { items: 4, admits: (doc) => doc < 4 });
  const foundIn = (text: string, vocabulary: Vocabulary) =>
    readQuery(text, "en", vocabulary).terms.map(
      ({ written, found, joined }) => `${written} ${joined ? "joined" : found}`,
    );

  test.each([
    ["zorbil", ["zorbul corrected"], ["zorbel corrected"]],
    ["zorbul", ["zorbul known"], ["zorbel corrected"]],
    ["murkal", ["murkel corrected"], ["murkal unknown"]],
    ["zorbulquarl", ["zorbul split", "quarl split"], ["zorbulquarl unknown"]],
    ["zor quarl", ["zor known", "quarl joined"], ["zor known", "quarl known"]],
  ])("do not show in how %j is read", (text, ofAll, ofMine) => {
    expect(foundIn(text, vocabularyOf(index))).toEqual(ofAll);
    expect(foundIn(text, mine)).toEqual(ofMine);
  });
});
