import { expect, test } from "vitest";
import { InvertedIndex } from "./inverted-index";
import { itemWords } from "./item-words";
import { languageStem } from "./language-stem";
import { lookUpTerms } from "./look-up-terms";
import { readQuery } from "./read-query";
import { stem } from "./tokenizer";

const indexOf = (title: string, language: string): InvertedIndex => {
  const index = new InvertedIndex();
  const item = {
    kind: "product",
    id: "p",
    campaignId: "c",
    landingUrl: "",
    inStock: true,
    title,
    content: "",
  } as const;
  const { words, isKindKnown } = itemWords({ item, details: [], keywords: [], language }, stem);
  index.add(words, isKindKnown);
  return index;
};
const finds = (index: InvertedIndex, query: string, locale: string): number =>
  lookUpTerms(index, readQuery(query, locale).terms, 1).groups.length;

test("endings of a language fall away, English and unknown languages have none here", () => {
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
  expect(finds(indexOf("Drucker für Etiketten", "de"), "Druckern", "de-AT")).toBe(1);
  expect(finds(indexOf("Halterungen", "de"), "Halterung", "de")).toBe(1);
  expect(finds(indexOf("Halterungen", "en"), "Halterung", "en")).toBe(0);
});

test("gender and number of Spanish adjectives do not matter", () => {
  expect(finds(indexOf("Zapato rojo de cuero", "es"), "zapatos rojas", "es-MX")).toBe(2);
});

test("an English query finds an item of a German campaign by the English form", () => {
  expect(finds(indexOf("Gaming Headphones für Profis", "de"), "gaming headphone", "en")).toBe(2);
});
