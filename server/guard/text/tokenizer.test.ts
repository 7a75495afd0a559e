import { describe, expect, test } from "vitest";
import { indexWords, titleWords } from "../../ads/matching/item-words";
import { languageOf, modelNumberOf, stem, tokenize } from "./tokenizer";

const wordsOf = (text: string) => tokenize(text).map(({ word }) => word);

describe("tokenize", () => {
  test("folds case, width, accents and sharp s, and keeps numbers whole", () => {
    expect(wordsOf("Ｃafé STRASSE Straße 43.2 cm ½")).toEqual(["cafe", "strasse", "strasse", "43.2", "cm", "1/2"]);
  });

  test.each([
    ["20ft", "20 ft"],
    ["20 feet", "20 ft"],
    ["20'", "20 ft"],
    ["20’", "20 ft"],
    ['17"', "17 in"],
    ["17”", "17 in"],
    ["17''", "17 in"],
    ["17&quot;", "17 in"],
    [`6'2"`, "6 ft 2 in"],
    ["1/2 in", "1/2 in"],
    ['1/2"', "1/2 in"],
    ["½ inch", "1/2 in"],
    ["1-1/2", "1 1/2"],
    ["1½", "1 1/2"],
    ["1 ½", "1 1/2"],
    ["2x4", "2 4"],
    ["2×4", "2 4"],
    ["4 x 4", "4 4"],
    ["4x4x8", "4 4 8"],
    ["20' x 30'", "20 ft 30 ft"],
    ["500GB", "500 gb"],
    ["500 Gigabytes", "500 gb"],
    ["2.4GHz", "2.4 ghz"],
    ["43.2cm", "43.2 cm"],
    ["1,000 lbs", "1,000 lb"],
    ["2-in-1", "2 in 1"],
  ])("reads the measure %j as %j", (text, words) => {
    expect(wordsOf(text).join(" ")).toBe(words);
    expect(tokenize(text).every(({ measure }) => measure)).toBe(true);
  });

  test.each([
    ["feet of a table", "feet of a table"],
    ["x 4", "x 4"],
    ["xbox one x", "xbox one x"],
    ["m510dn", "m510dn"],
    ["iphone15", "iphone15"],
    [`a "quoted" word`, "a quoted word"],
  ])("reads no unit and no dimension where there is no number before it: %j", (text, words) => {
    expect(wordsOf(text).join(" ")).toBe(words);
  });

  test("says which words are attached to the one before and which are measures", () => {
    expect(tokenize("wi-fi 20ft usb & c")).toEqual([
      { word: "wi", joined: false, measure: false },
      { word: "fi", joined: true, measure: false },
      { word: "20", joined: false, measure: true },
      { word: "ft", joined: true, measure: true },
      { word: "usb", joined: false, measure: false },
      { word: "c", joined: false, measure: false },
    ]);
  });

  test.each([
    ["Fish &amp; Chips", ["fish", "chips"]],
    ["caf&#233; caf&#xe9;", ["cafe", "cafe"]],
    ["a&nbsp;b&reg;c", ["a", "b", "c"]],
    ["a&#0;b&#31;c&#x0;d", ["a", "b", "c", "d"]],
    ["&#99999999;", ["99999999"]],
    ["&#xFFFFF;&#999999;&#xD800;x", ["x"]],
    ["&amp;amp;", ["amp"]],
    ["&amp;#0;", ["0"]],
    ["&unknown;", ["unknown"]],
    ["&&&;;#", []],
  ])("decodes entities once, and drops what is no character: %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test("drops English endings behind an apostrophe", () => {
    expect(wordsOf("the dog's bed, I'd say")).toEqual(["the", "dog", "bed", "i", "say"]);
  });

  test("splits text without spaces into pairs of characters", () => {
    expect(wordsOf("東京都 茶 tea")).toEqual(["東京", "京都", "茶", "tea"]);
  });

  test.each([
    "1",
    "1.",
    "1x",
    "1x1",
    "1/",
    "1,",
    "1'",
    '1"',
    "1a",
    "a'",
    "'-",
    "&",
    "&#1",
    "&#x",
    "é",
    "e\u0301",
    "東",
    " ",
  ])("takes linear time on 100,000 characters of %j", (unit) => {
    const timeOf = (length: number) => {
      const text = unit.repeat(length / unit.length);
      const before = process.cpuUsage();
      tokenize(text);
      return process.cpuUsage(before).user / 1000;
    };
    timeOf(1000);
    // Of the processor, whatever else runs: quadratic time would be 100 s where linear time is some 50 ms.
    expect(timeOf(100_000)).toBeLessThan(2000);
  });
});

test.each([
  ["running", "run"],
  ["batteries", "batteri"],
  ["battery", "batteri"],
  ["headphones", "headphon"],
  ["technology", "technologi"],
  ["technologies", "technologi"],
  ["gpus", "gpu"],
  ["trekking", "trek"],
  ["dv7", "dv7"],
  ["tv", "tv"],
])("the stem of %s is %s, each time", (word, form) => {
  expect([stem(word), stem(word)]).toEqual([form, form]);
});

test.each([
  ["1211ea", "1211"],
  ["m510dn", "m510"],
  ["m510", undefined],
  ["dv7", undefined],
  ["laptop", undefined],
])("the model number of %s is %s", (word, number) => expect(modelNumberOf(word)).toBe(number));

test("function words are not indexed; a title also by what its hyphens join and by parts of model numbers", () => {
  const text = "the dv7-1211ea with 500 GB wi-fi 17 in";
  const words = ["dv7", "1211ea", "500", "gb", "wi", "fi", "17", "in"];
  expect(indexWords(text)).toEqual(words);
  expect(titleWords(text)).toEqual([...words, "dv71211ea", "1211", "wifi"]);
});

test("a locale's language is read from any spelling and defaults to English", () => {
  expect(["de-AT", "pt_BR", "FR", "", "??", "english"].map(languageOf)).toEqual(["de", "pt", "fr", "en", "en", "en"]);
});
