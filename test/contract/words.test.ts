import { expect, it } from "vitest";
import { findWords } from "../boundaries/check-words.mjs";

it("finds a planted word and says what to write instead", () => {
  expect(findWords("server/a.ts", "// fine\n/** Read anew by whoever hears of it. */")).toEqual([
    "server/a.ts:2: anew -> again",
    "server/a.ts:2: whoever -> anyone who, the client that",
    "server/a.ts:2: hears -> receives, is notified",
  ]);
});

it("leaves words alone that only contain one of the list, and those of other folders", () => {
  expect(findWords("server/a.ts", "// recommended, heard of in renewal")).toEqual([]);
  expect(findWords("server/ads/a.ts", "// letters that repeat")).toEqual([]);
  expect(findWords("server/identity/a.ts", "// letters that repeat")).toHaveLength(1);
});
