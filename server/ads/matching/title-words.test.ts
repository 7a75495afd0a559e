import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorsBetween, TitleWords } from "./title-words";

const wordsOf = (counts: Readonly<Record<string, number>>): TitleWords => {
  const words = new TitleWords();
  for (const [word, titles] of Object.entries(counts)) for (let i = 0; i < titles; i++) words.add(word);
  return words;
};

test("counts titles like a map under any order of adding and removing, and corrects to counted words only", () => {
  const word = fc.constantFrom("lamp", "lamps", "laptop", "table", "cable", "shoe", "20", "fi", "straße", "東京");
  fc.assert(
    fc.property(fc.array(fc.record({ word, adds: fc.boolean() }), { maxLength: 120 }), (steps) => {
      const words = new TitleWords();
      const model = new Map<string, number>();
      for (const { word, adds } of steps) {
        if (adds) words.add(word);
        else words.remove(word);
        const count = (model.get(word) ?? 0) + (adds ? 1 : -1);
        model.set(word, Math.max(0, count));
      }
      for (const [word, count] of model) expect(words.titles(word)).toBe(count);
      expect(words.titles("never")).toBe(0);
      expect(words.nearest("lampp")).toBe(
        (model.get("lamps") ?? 0) > (model.get("lamp") ?? 0)
          ? "lamps"
          : (model.get("lamp") ?? 0) > 0
            ? "lamp"
            : undefined,
      );
      expect(words.nearest("laptpo")).toBe(model.get("laptop") ? "laptop" : undefined);
    }),
  );
});

describe("the nearest word", () => {
  const words = wordsOf({ laptop: 5, lamp: 9, headphones: 4, wireless: 3, printer: 2, "17": 4, dv7: 2, tv: 3 });

  test.each<[string, string | undefined, string]>([
    ["labtop", "laptop", "a wrong letter"],
    ["laptp", "laptop", "a missing letter"],
    ["lapttop", "laptop", "an extra letter"],
    ["latpop", "laptop", "two swapped letters"],
    ["haptop", "laptop", "another first letter"],
    ["aptop", "laptop", "no first letter"],
    ["lapdob", undefined, "two errors in six letters"],
    ["prinnerr", "printer", "two errors in eight letters"],
    ["printrr", "printer", "one error in seven letters"],
    ["prinnrr", undefined, "two errors in seven letters"],
    ["hedfones", undefined, "three errors in eight letters"],
    ["hedphonse", "headphones", "a missing letter and a swap in nine letters"],
    ["wirelwss", "wireless", "a wrong letter in eight"],
    ["lam", undefined, "three letters"],
    ["lamb", "lamp", "one error in four letters"],
    ["dv71", undefined, "a model name"],
    ["12345", undefined, "a number"],
    ["lap-top", undefined, "a sign"],
    ["", undefined, "nothing"],
  ])("to %j is %s: %s", (written, nearest) => {
    expect(words.nearest(written)).toBe(nearest);
  });

  test("an error more weighs as much as a twentyfold frequency, the first letter as much as e", () => {
    // Three for the second error against ln(19) = 2.94 and ln(21) = 3.04.
    expect(wordsOf({ cartridge: 1, cartrages: 19 }).nearest("cartridges")).toBe("cartridge");
    expect(wordsOf({ cartridge: 1, cartrages: 21 }).nearest("cartridges")).toBe("cartrages");
    expect(wordsOf({ table: 1, cable: 2 }).nearest("tabble")).toBe("table");
    expect(wordsOf({ bable: 1, cable: 2 }).nearest("bbable")).toBe("bable");
    expect(wordsOf({ tabe: 1, cabl: 2 }).nearest("tabl")).toBe("tabe");
    expect(wordsOf({ tabe: 1, cabl: 3 }).nearest("tabl")).toBe("cabl");
  });

  test("is the more frequent of two, and the first in the alphabet of equals", () => {
    expect(wordsOf({ tableb: 2, tablea: 1 }).nearest("tablez")).toBe("tableb");
    expect(wordsOf({ tableb: 1, tablea: 1 }).nearest("tablez")).toBe("tablea");
    expect(wordsOf({ tablea: 1, tableb: 1 }).nearest("tablez")).toBe("tablea");
  });

  test("is found in other alphabets", () => {
    const greek = wordsOf({ καρεκλα: 1, ноутбук: 1, स्कूल: 1 });
    expect([greek.nearest("καρελκα"), greek.nearest("ноудбук"), greek.nearest("ноутбк")]).toEqual([
      "καρεκλα",
      "ноутбук",
      "ноутбук",
    ]);
  });
});

test("counts errors like the plain recursive definition", () => {
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
    fc.property(short, short, fc.constantFrom(1, 2), (a, b, most) => {
      expect(errorsBetween(a, b, most)).toBe(Math.min(plain(a, b), most + 1));
    }),
  );
});
