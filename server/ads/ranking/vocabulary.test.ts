import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvertedIndex } from "./inverted-index";
import { errorsBetween, Vocabulary } from "./vocabulary";

const vocabularyOf = (words: Readonly<Record<string, number>>): Vocabulary => {
  const vocabulary = new Vocabulary();
  for (const [word, titles] of Object.entries(words)) vocabulary.add(word, { titles });
  return vocabulary;
};

describe("the nearest word", () => {
  const words = vocabularyOf({ laptop: 5, lamp: 9, headphon: 4, wireless: 3, wirelet: 1, printer: 2, printed: 7 });

  test("is one letter wrong, missing, too many or swapped", () => {
    expect(["labtop", "laptp", "lapttop", "latpop"].map((word) => words.nearest([word]))).toEqual(
      Array(4).fill("laptop"),
    );
  });

  test("may be near the stem or the word as it was written", () => {
    expect(words.nearest(["hedphones", "hedphon"])).toBe("headphon");
    expect(words.nearest(["wireles", "wirel"])).toBe("wireless");
  });

  test("is the more frequent of two, and the first of equals", () => {
    expect(words.nearest(["printex"])).toBe("printed");
    expect(vocabularyOf({ tableb: 1, tablea: 1 }).nearest(["tablez"])).toBe("tablea");
  });

  test("has the same first letter, and two errors only from nine letters on", () => {
    expect(words.nearest(["haptop"])).toBeUndefined();
    expect(words.nearest(["lapdob"])).toBeUndefined();
    expect(vocabularyOf({ multifunction: 1 }).nearest(["multyfunktion"])).toBe("multifunction");
  });

  test("is never sought for short words, numbers and model names", () => {
    expect(["lamq", "dv7121", "12345"].map((word) => words.nearest([word]))).toEqual([undefined, undefined, undefined]);
  });

  test("stands in a title of a document that is still indexed", () => {
    const index = new InvertedIndex();
    const doc = index.add({ title: ["laptop"] });
    index.add({ description: ["lantern"] });
    expect([index.vocabulary.nearest(["labtop"]), index.vocabulary.nearest(["lanterm"])]).toEqual([
      "laptop",
      undefined,
    ]);
    index.remove(doc);
    while (!index.compact(10));
    expect(index.vocabulary.nearest(["labtop"])).toBeUndefined();
  });
});

test("errors are counted as by the plain recursive definition", () => {
  const plain = (a: string, b: string): number => {
    if (a === "" || b === "") return a.length + b.length;
    const [restA, restB] = [a.slice(1), b.slice(1)];
    if (a[0] === b[0]) return plain(restA, restB);
    const swapped = a[0] === b[1] && a[1] === b[0] && a.length > 1 && b.length > 1;
    const others = [plain(restA, b), plain(a, restB), plain(restA, restB)];
    return 1 + Math.min(...others, ...(swapped ? [plain(a.slice(2), b.slice(2))] : []));
  };
  const short = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 5 });
  fc.assert(
    fc.property(short, short, (a, b) => {
      const errors = plain(a, b);
      expect(errorsBetween(a, b, 2)).toBe(errors > 2 ? 3 : errors);
    }),
  );
});
