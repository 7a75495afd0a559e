import { describe, expect, test } from "vitest";
import { everything, indexOf } from "../matching/titled-index.fixture";
import { readQuery } from "../query/read-query";
import { vocabularyOf } from "../query/vocabulary.fixture";
import { readChunks } from "./read-chunks";
import { weighTerms } from "./weigh-terms";

const SHOP = indexOf([
  "Coffee Grinder",
  "Electric Coffee Grinder",
  "Manual Grinder",
  "Oak Desk",
  "Gaming Laptop 17 in",
  { title: "Shelf", content: "for a bank account, what is new" },
]);
const read = (text: string, locale = "en") => {
  const { terms, written, clauses } = readQuery(text, locale, vocabularyOf(SHOP));
  const weighed = weighTerms(terms, SHOP, { ...everything(SHOP), items: 1000 });
  const { chunks, emptyShare } = readChunks(weighed, { written, clauses, language: locale });
  const wordsOf = (list: readonly { written: string }[]) => list.map(({ written }) => written).join(" ");
  return { emptyShare, chunks: chunks.map(({ terms, rest }) => [wordsOf(terms), wordsOf(rest)]) };
};

describe("the wanted thing", () => {
  test.each([
    ["coffee grinder", ["coffee grinder", ""]],
    ["my old one broke, which coffee grinder should I get", ["coffee grinder", "old"]],
    ["laptop for a desk", ["laptop", "desk"]],
    ["i own a desk and want a laptop", ["laptop", "desk"]],
    ["17 in and a grinder", ["grinder", "17 in"]],
    ["quxquux, then a grinder", ["grinder", "quxquux"]],
  ])("of %j", (text, best) => {
    const [first] = read(text).chunks;
    expect(first).toEqual(best);
  });

  test("is one of at most two candidates, which together leave out the others", () => {
    expect(read("desk and grinder and laptop and shelf").chunks).toHaveLength(2);
    const [first, second] = read("desk and grinder").chunks;
    expect([first?.[1], second?.[1]]).toEqual([second?.[0], first?.[0]]);
  });

  test("is what was wished for, within three words", () => {
    // The grinder is in three titles, the desk in one.
    expect(read("grinder and desk").chunks[0]?.[0]).toBe("grinder");
    expect(read("grinder is here, i want the desk").chunks[0]?.[0]).toBe("desk");
    expect(read("i want it in white and grinder or a desk").chunks[0]?.[0]).toBe("grinder");
  });

  test("is not a common word, except where there is nothing else", () => {
    expect(read("the account grinder").chunks).toEqual([["grinder", "account"]]);
    expect(read("the bank account").chunks).toEqual([["bank account", ""]]);
  });

  test("has common words between two others, and in a search without any other words", () => {
    expect(read("the coffee account grinder").chunks[0]?.[0]).toBe("coffee account grinder");
    expect(read("account grinder").chunks).toEqual([["account grinder", ""]]);
  });

  test("ends with its clause", () => {
    expect(read("i want a laptop, desk is there").chunks[0]).toEqual(["laptop", "desk"]);
  });

  test("may be unknown, and is nothing in a request without words", () => {
    expect(read("quxquux").chunks).toEqual([["quxquux", ""]]);
    for (const text of ["", "the with for", "?!"]) expect(read(text).chunks).toEqual([]);
  });
});

test.each([
  ["", 0],
  ["coffee grinder", 0],
  ["quxquux", 0],
  ["which coffee grinder should i get", 4 / 6],
  ["the with for", 1],
  ["the account grinder", 2 / 3],
  ["bank account", 0],
])("the empty share of %j is %d", (text, share) => expect(read(text).emptyShare).toBeCloseTo(share));

test("function words of the language are empty", () => {
  expect([read("grinder welche", "de").emptyShare, read("grinder welche", "en").emptyShare]).toEqual([0.5, 0]);
});
