import { expect, test } from "vitest";
import { indexOf } from "../../ads/matching/titled-index.fixture";
import { readQuery } from "../../ads/query/read-query";
import { vocabularyOf } from "../../ads/query/vocabulary.fixture";
import { languageStem } from "./language-stem";

const finds = (title: string, language: string, [query, locale]: [string, string]): number =>
  readQuery(query, locale, vocabularyOf(indexOf([{ title, language }]))).terms.filter(({ found }) => found === "known")
    .length;

test("endings of a language are removed, but not for English and unknown languages", () => {
  expect(["laptoptaschen", "laptoptasche"].map((word) => languageStem(word, "de"))).toEqual([
    "laptoptasch",
    "laptoptasch",
  ]);
  expect(languageStem("zapatos", "es")).toBe(languageStem("zapato", "es"));
  expect([languageStem("shoes", "en"), languageStem("shoes", "xx"), languageStem("500gb", "de")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a German plural finds a German singular, and the other way round", () => {
  expect(finds("Drucker für Etiketten", "de", ["Druckern", "de-AT"])).toBe(1);
  expect(finds("Halterungen", "de", ["Halterung", "de"])).toBe(1);
  expect(finds("Halterungen", "en", ["Halterung", "en"])).toBe(0);
});

test("gender and number of Spanish adjectives do not matter", () => {
  expect(finds("Zapato rojo de cuero", "es", ["zapatos rojas", "es-MX"])).toBe(2);
});

test("an English query finds an item of a German campaign by the English form", () => {
  expect(finds("Gaming Headphones für Profis", "de", ["gaming headphone", "en"])).toBe(2);
});
