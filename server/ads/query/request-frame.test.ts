import { describe, expect, test } from "vitest";
import { tokenize } from "../../guard/text/tokenizer";
import { type Frame, frameOf } from "./request-frame";

/** The frame of "zorbel" in a text; an asterisk means a mark that opens a clause. */
function frame(text: string, language = "en"): Frame {
  const clauses = new Set<number>();
  const written = text.split("*").flatMap((part, i, parts) => {
    const before = parts.slice(0, i).flatMap((one) => tokenize(one)).length;
    if (i > 0) clauses.add(before);
    return tokenize(part).map(({ word }) => word);
  });
  const at = written.indexOf("zorbel");
  return frameOf(at, at, { written, clauses, language });
}

describe("asked", () => {
  test.each([
    "looking for a zorbel",
    "I need two really good new zorbel",
    "do you have any zorbel",
    "got a zorbel",
    "I'd like a zorbel",
    "i am after some zorbel",
    "how about a zorbel",
    "ich suche einen zorbel",
  ])("%j", (text) => expect(frame(text).isAsked).toBe(true));

  test.each([
    "zorbel",
    "how to clean a zorbel",
    "i have a zorbel",
    "need help with the rules of a zorbel",
    "I want it * zorbel",
    "it is like a zorbel",
    "want a b c d e f g a zorbel",
  ])("not %j", (text) => expect(frame(text).isAsked).toBe(false));
});

test.each([
  ["a zorbel", true],
  ["any cheap zorbel", true],
  ["best zorbel", true],
  ["some kind of zorbel", true],
  ["videos of zorbel", false],
  ["ein zorbel", true],
  ["the zorbel", false],
  ["my zorbel", false],
  ["zorbel", false],
  ["that is good * zorbel", false],
  ["how does a zorbel work", false],
  ["how much is a zorbel", true],
])("%j is indefinite: %j", (text, expected) => expect(frame(text).isIndefinite).toBe(expected));

test.each([
  ["zorbel", 0, 1],
  ["red zorbel cable of copper for my uncle", 0, 5],
  ["zorbel that works", 0, 1],
  ["the old one broke * i need a zorbel * any brand", 4, 8],
  ["it rains and i want a zorbel", 3, 7],
  ["history of the zorbel", 0, 4],
])("the words around the one of %j that belong to its clause: from %d to %d", (text, from, to) =>
  expect(frame(text)).toMatchObject({ from, to }),
);

test("a phrase opens with a function word of the language", () => {
  expect(frame("zorbel welche blorf", "de").to).toBe(1);
  expect(frame("zorbel welche blorf", "en").to).toBe(3);
});
