import { describe, expect, test } from "vitest";
import { indexWords } from "./item-words";
import { languageOf, rememberingStem, stem, tokenize } from "./tokenizer";

const wordsOf = (text: string) => tokenize(text).map(({ word }) => word);

describe("tokenize", () => {
  test("folds case, width, accents and sharp s, and keeps numbers whole", () => {
    expect(wordsOf("Ｃafé STRASSE Straße 43.2 cm ½")).toEqual(["cafe", "strasse", "strasse", "43.2", "cm", "1", "2"]);
  });

  test("drops English endings behind an apostrophe", () => {
    expect(wordsOf("the dog's bed, I'd say")).toEqual(["the", "dog", "bed", "i", "say"]);
  });

  test("gives pairs of characters for text without spaces", () => {
    expect(wordsOf("東京都 tea")).toEqual(["東京", "京都", "tea"]);
  });

  test("stays quick on a hundred thousand characters of punctuation and apostrophes", () => {
    expect(wordsOf("'-".repeat(50_000))).toEqual([]);
    expect(wordsOf(`a${"'".repeat(100_000)}s`)).toEqual(["a", "s"]);
  });
});

test("a stem that is remembered is the stem", () => {
  const remembering = rememberingStem();
  for (const word of ["running", "batteries", "dv7", "headphones", "running"]) {
    expect(remembering(word)).toBe(stem(word));
  }
});

test("model numbers and quantities are indexed whole and in parts, function words not at all", () => {
  expect(indexWords("the dv7-1211ea with 500 GB", stem)).toEqual([
    "dv7",
    "dv71211ea",
    "1211",
    "1211ea",
    "500",
    "500gb",
    "gb",
  ]);
});

test("a locale's language is read from any spelling and is English where there is none", () => {
  expect(["de-AT", "pt_BR", "FR", "", "??", "english"].map(languageOf)).toEqual(["de", "pt", "fr", "en", "en", "en"]);
});
