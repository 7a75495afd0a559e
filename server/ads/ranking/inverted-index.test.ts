import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvertedIndex, impactOf, maskOf } from "./inverted-index";

const docsOf = (index: InvertedIndex, word: string): number[] => {
  const list = index.postings(word);
  const docs = Array.from({ length: list?.length ?? 0 }, (_, i) => list?.pairs[2 * i] ?? -1);
  return docs.filter((doc) => index.isAlive(doc)).sort((a, b) => a - b);
};
const sweep = (index: InvertedIndex) => {
  while (!index.compact(3));
};

describe("InvertedIndex", () => {
  test("weighs a word in the title above the same word in the description", () => {
    const index = new InvertedIndex();
    index.add({ title: ["shoe"] });
    index.add({ description: ["shoe"] });
    const [first, second] = [index.postings("shoe")?.pairs[1] ?? 0, index.postings("shoe")?.pairs[3] ?? 0];
    expect(impactOf(first)).toBeGreaterThan(impactOf(second));
    expect([maskOf(first), maskOf(second)]).toEqual([1, 8]);
  });

  test("weighs an item the same whatever was indexed before it", () => {
    const [empty, full] = [new InvertedIndex(), new InvertedIndex()];
    for (let i = 0; i < 50; i++) full.add({ title: ["shoe", `word${i}`], description: Array(80).fill("filler") });
    empty.add({ title: ["rare", "shoe"] });
    full.add({ title: ["rare", "shoe"] });
    expect(full.postings("rare")?.pairs[1]).toBe(empty.postings("rare")?.pairs[1]);
  });

  test("hides a removed document at once and reuses its number only after a whole sweep", () => {
    const index = new InvertedIndex();
    const gone = index.add({ title: ["shoe"] });
    index.remove(gone);
    expect(docsOf(index, "shoe")).toEqual([]);
    expect(index.add({ title: ["sock"] })).not.toBe(gone);
    sweep(index);
    expect(index.postings("shoe")).toBeUndefined();
    expect(index.add({ title: ["hat"] })).toBe(gone);
    expect(docsOf(index, "shoe")).toEqual([]);
  });

  test("holds exactly the live documents of every word under any order of adding, removing and sweeping", () => {
    const words = ["a", "b", "c", "d", "e"];
    const step = fc.oneof(
      fc.record({ add: fc.subarray(words, { minLength: 1 }) }),
      fc.record({ remove: fc.nat(30) }),
      fc.record({ compact: fc.integer({ min: 1, max: 6 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const index = new InvertedIndex();
        const model = new Map<number, string[]>();
        for (const one of steps) {
          if ("add" in one) {
            const doc = index.add({ title: one.add });
            expect(model.has(doc)).toBe(false);
            model.set(doc, one.add);
          } else if ("remove" in one) {
            index.remove(one.remove);
            model.delete(one.remove);
          } else index.compact(one.compact);
        }
        expect(index.size).toBe(model.size);
        for (const word of words) {
          const wanted = [...model].filter(([, list]) => list.includes(word)).map(([doc]) => doc);
          expect(docsOf(index, word)).toEqual(wanted.sort((a, b) => a - b));
        }
      }),
    );
  });
});
