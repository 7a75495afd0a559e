import fc from "fast-check";
import { expect, test } from "vitest";
import { InvertedIndex } from "./inverted-index";
import { weighWords } from "./weigh-words";

const WORDS = ["shoe", "sock", "boot", "lace"];
const titled = (title: readonly string[]) =>
  weighWords({ words: { title }, title, written: [...new Set(title)], heads: title.slice(-1) });

/** What decisions read of a word: its live documents, and how many titles have it. */
const readOf = (index: InvertedIndex, word: string) => {
  const list = index.postings(word);
  const docs = Array.from({ length: list?.length ?? 0 }, (_, i) => list?.pairs[2 * i] ?? -1);
  return {
    docs: docs.filter((doc) => index.isAlive(doc)).sort((a, b) => a - b),
    titles: index.titleWords.titles(word),
  };
};

type Step =
  | { kind: "add"; title: string[]; isHidden: boolean }
  | { kind: "reveal"; picks: number[] }
  | { kind: "remove"; picks: number[] }
  | { kind: "sweep" };
const title = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
const picks = fc.array(fc.nat(20), { maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), title, isHidden: fc.boolean() }),
  fc.record({ kind: fc.constant("reveal" as const), picks }),
  fc.record({ kind: fc.constant("remove" as const), picks }),
  fc.constant({ kind: "sweep" as const }),
);

test("hidden documents change nothing until they are revealed, in any order of steps", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const index = new InvertedIndex();
      const docs = new Map<number, { title: string[]; isHidden: boolean }>();
      const picked = (places: number[]) => [...new Set(places)].flatMap((at) => [...docs.keys()][at] ?? []);
      const model = (word: string) => {
        const having = [...docs].filter(([, one]) => !one.isHidden && one.title.includes(word)).map(([doc]) => doc);
        return { docs: having.sort((a, b) => a - b), titles: having.length };
      };
      for (const one of steps) {
        if (one.kind === "sweep") while (!index.compact(3));
        else if (one.kind === "reveal") {
          const revealed = picked(one.picks);
          index.reveal(revealed);
          for (const doc of revealed) docs.set(doc, { title: docs.get(doc)?.title ?? [], isHidden: false });
        } else if (one.kind === "remove") {
          for (const doc of picked(one.picks)) {
            index.remove(doc, [...new Set(docs.get(doc)?.title)]);
            docs.delete(doc);
          }
        } else {
          const { title, isHidden } = one;
          docs.set(index.add(titled(title), isHidden), { title, isHidden });
        }
        for (const word of WORDS) expect(readOf(index, word)).toEqual(model(word));
        expect(index.size).toBe([...docs.values()].filter(({ isHidden }) => !isHidden).length);
      }
      // The counts of a list are exact without tombstones.
      while (!index.compact(3));
      for (const word of WORDS) {
        const { docs: live } = model(word);
        const heads = live.filter((doc) => docs.get(doc)?.title.at(-1) === word);
        const { length = 0, titles = 0, heads: counted = 0 } = index.postings(word) ?? {};
        expect([length, titles, counted]).toEqual([live.length, live.length, heads.length]);
      }
    }),
    { numRuns: 300 },
  );
});
