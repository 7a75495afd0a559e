import fc from "fast-check";
import { expect, test } from "vitest";
import { Titles } from "./titles";

const titlesOf = (...lists: number[][]): Titles => {
  const titles = new Titles();
  for (const [doc, words] of lists.entries()) titles.put(doc, Int32Array.from(words), words.at(-1) ?? -1);
  return titles;
};

test("finds words and neighbours of one title only", () => {
  const titles = titlesOf([1, 2, 3], [4, 5], [], [7]);
  expect([titles.has(0, 3), titles.has(0, 4), titles.has(1, 3), titles.has(2, 7), titles.has(3, 7)]).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
  const pairs: [number, number, number][] = [
    [0, 1, 2],
    [0, 2, 3],
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 4],
    [1, 3, 4],
    [1, 4, 5],
    [3, 7, 7],
  ];
  expect(pairs.map(([doc, a, b]) => titles.hasPair(doc, a, b))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    true,
    false,
  ]);
  expect([...titles.heads.subarray(0, 4)]).toEqual([3, 5, -1, 7]);
});

test("a word twice in a row is a pair, and an unknown document has nothing", () => {
  const titles = titlesOf([5, 5]);
  expect([titles.hasPair(0, 5, 5), titles.has(5000, 5), titles.hasPair(5000, 5, 5)]).toEqual([true, false, false]);
});

test("keeps every title whatever was removed, replaced and moved before", () => {
  const words = fc.array(fc.nat(50), { maxLength: 60 });
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.record({ put: fc.nat(90), words }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat(90) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
      const titles = new Titles();
      const model = new Map<number, number[]>();
      for (const one of steps) {
        const doc = "put" in one ? one.put : one.remove;
        if (model.has(doc)) titles.remove(doc);
        model.delete(doc);
        if ("remove" in one) continue;
        titles.put(doc, Int32Array.from(one.words), one.words[0] ?? -1);
        model.set(doc, one.words);
      }
      for (let doc = 0; doc <= 90; doc++) {
        const words = model.get(doc) ?? [];
        expect([...titles.ids.subarray(titles.starts[doc] ?? 0, titles.ends[doc] ?? 0)]).toEqual(words);
        if (model.has(doc)) expect(titles.heads[doc]).toBe(words[0] ?? -1);
      }
      expect(titles.bytes).toBe(4 * [...model.values()].flat().length);
    }),
    { numRuns: 60 },
  );
});

test("reuses the space of removed titles", () => {
  const titles = new Titles();
  for (let round = 0; round < 1000; round++) {
    titles.put(0, new Int32Array(100).fill(round), -1);
    expect(titles.has(0, round)).toBe(true);
    titles.remove(0);
  }
  expect(titles.ids.length).toBeLessThan(1000);
});
