import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvertedIndex } from "./inverted-index";
import { indexOf, weighed } from "./titled-index.fixture";
import { type IndexedItem, impactOf, MAIN_HEAD, maskOf, NAMES_KIND, weighWords } from "./weigh-words";

const itemOf = (item: Partial<IndexedItem>) => weighWords({ words: {}, title: [], written: [], heads: [], ...item });
const titled = (...title: string[]) =>
  itemOf({ words: { title }, title, written: [...new Set(title)], heads: title.slice(-1) });
const docsOf = (index: InvertedIndex, word: string): number[] => {
  const list = index.postings(word);
  const docs = Array.from({ length: list?.length ?? 0 }, (_, i) => list?.pairs[2 * i] ?? -1);
  return docs.filter((doc) => index.isAlive(doc)).sort((a, b) => a - b);
};
const countsOf = (index: InvertedIndex, word: string) => {
  const { length = 0, titles = 0, heads = 0 } = index.postings(word) ?? {};
  return { length, titles, heads };
};
const sweep = (index: InvertedIndex) => {
  while (!index.compact(3));
};

describe("InvertedIndex", () => {
  test("weighs a word in the title above the same word in the description", () => {
    const index = new InvertedIndex();
    index.add(itemOf({ words: { title: ["shoe"] } }));
    index.add(itemOf({ words: { description: ["shoe"] } }));
    const [first, second] = [index.postings("shoe")?.pairs[1] ?? 0, index.postings("shoe")?.pairs[3] ?? 0];
    expect([maskOf(first), maskOf(second)]).toEqual([1, 8]);
    // One word of a usual length of ten: t = 3 / (.4 + .06), of fifteen: t = 1 / (.4 + .04); t / (.6 + t).
    expect(impactOf(first)).toBeCloseTo(6.5217 / 7.1217, 4);
    expect(impactOf(second)).toBeCloseTo(2.2727 / 2.8727, 4);
  });

  test("gives an item the same weight whatever was indexed before it", () => {
    const [empty, full] = [new InvertedIndex(), new InvertedIndex()];
    for (let i = 0; i < 50; i++) {
      full.add(itemOf({ words: { title: ["shoe", `word${i}`], description: Array(80).fill("filler") } }));
    }
    empty.add(titled("rare", "shoe"));
    full.add(titled("rare", "shoe"));
    expect(full.postings("rare")?.pairs[1]).toBe(empty.postings("rare")?.pairs[1]);
  });

  test("knows the main head noun of a title, and which other words name the item", () => {
    const item = { words: { title: ["oak", "table"], category: ["desk"] }, heads: ["table", "desk", "missing"] };
    const index = new InvertedIndex();
    const doc = index.add(itemOf({ ...item, title: ["oak", "table"] }));
    const maskIn = (word: string) => maskOf(index.postings(word)?.pairs[1] ?? 0);
    expect(["oak", "table", "desk"].map(maskIn)).toEqual([1, 1 | MAIN_HEAD | NAMES_KIND, 4 | NAMES_KIND]);
    expect(index.titles.heads[doc]).toBe(index.postings("table")?.id);
    expect(index.titles.hasPair(doc, index.postings("oak")?.id ?? -1, index.postings("table")?.id ?? -1)).toBe(true);
  });

  test("counts titles and head nouns of a word until its removed items are swept", () => {
    const index = new InvertedIndex();
    const first = titled("oak", "table");
    const gone = index.add(first);
    index.add(titled("table", "lamp"));
    index.add(itemOf({ words: { description: ["table"] } }));
    expect(countsOf(index, "table")).toEqual({ length: 3, titles: 2, heads: 1 });
    index.remove(gone, first.written);
    index.remove(gone, first.written);
    index.remove(99, ["table"]);
    expect([index.titleWords.titles("table"), index.titleWords.titles("oak")]).toEqual([1, 0]);
    expect(index.size).toBe(2);
    sweep(index);
    expect(countsOf(index, "table")).toEqual({ length: 2, titles: 1, heads: 0 });
    expect(countsOf(index, "oak")).toEqual({ length: 0, titles: 0, heads: 0 });
  });

  test("corrects to words in titles of live items only", () => {
    const index = indexOf(["Wi-Fi Laptop", { title: "", content: "lantern" }]);
    expect(["labtop", "wfii", "lanterm"].map((word) => index.titleWords.nearest(word))).toEqual([
      "laptop",
      "wifi",
      undefined,
    ]);
    index.remove(0, weighed({ title: "Wi-Fi Laptop" }).written);
    expect(["labtop", "wfii"].map((word) => index.titleWords.nearest(word))).toEqual([undefined, undefined]);
  });

  test("hides a removed document immediately and reuses its number only after a full sweep", () => {
    const index = new InvertedIndex();
    const gone = index.add(titled("shoe"));
    index.remove(gone, ["shoe"]);
    expect(docsOf(index, "shoe")).toEqual([]);
    expect(index.add(titled("sock"))).not.toBe(gone);
    sweep(index);
    expect(index.postings("shoe")).toBeUndefined();
    expect(index.add(titled("hat"))).toBe(gone);
    expect(docsOf(index, "shoe")).toEqual([]);
  });

  test("uses no memory once everything was removed and swept", () => {
    const index = new InvertedIndex();
    for (let i = 0; i < 300; i++) index.add(titled("shoe", `word${i}`));
    expect(index.bytes).toBeGreaterThan(300 * 400);
    for (let i = 0; i < 300; i++) index.remove(i, ["shoe", `word${i}`]);
    sweep(index);
    expect([index.bytes, index.size, index.tombstones]).toEqual([0, 0, 0]);
  });

  test("contains exactly the live documents of every word under any order of adding, removing and sweeping", () => {
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
            const doc = index.add(titled(...one.add));
            expect(model.has(doc)).toBe(false);
            model.set(doc, one.add);
          } else if ("remove" in one) {
            index.remove(one.remove, model.get(one.remove) ?? []);
            model.delete(one.remove);
          } else index.compact(one.compact);
        }
        expect(index.size).toBe(model.size);
        const titlesWith = (word: string) => [...model].filter(([, list]) => list.includes(word));
        for (const word of words) expect(index.titleWords.titles(word)).toBe(titlesWith(word).length);
        sweep(index);
        for (const word of words) {
          const wanted = titlesWith(word);
          expect(docsOf(index, word)).toEqual(wanted.map(([doc]) => doc).sort((a, b) => a - b));
          const heads = wanted.filter(([, list]) => list.at(-1) === word).length;
          expect(countsOf(index, word)).toEqual({ length: wanted.length, titles: wanted.length, heads });
          const id = index.postings(word)?.id ?? -1;
          for (const [doc, list] of model) expect(index.titles.has(doc, id)).toBe(list.includes(word));
        }
      }),
    );
  });
});
