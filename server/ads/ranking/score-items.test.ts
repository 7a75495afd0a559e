import fc from "fast-check";
import { expect, test } from "vitest";
import { Accumulators } from "../matching/accumulators";
import { everything, indexOf } from "../matching/titled-index.fixture";
import { readQuery } from "../query/read-query";
import { vocabularyOf } from "../query/vocabulary.fixture";
import { type Pruning, scoreItems } from "./score-items";
import { weighTerms } from "./weigh-terms";

const WORDS = "zorbel quarl murkel lamp grinder cup stand shelf airzorbel zorbelquarl notebook laptop".split(" ");
const text = (lengthMax: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: lengthMax }).map((words) => words.join(" "));
const item = fc.record({ title: text(4), content: text(6) });

test("pruning changes nothing for the documents that cover enough, and finds fewer others", () => {
  let [found, pruned] = [0, 0];
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 60 }), text(4), (items, query) => {
      const index = indexOf(items);
      const population = everything(index);
      const terms = weighTerms(readQuery(query, "en", vocabularyOf(index)).terms, index, population);
      const sumsWith = (pruning: Pruning | undefined) => {
        const sums = new Accumulators();
        sums.reset(index.capacity);
        scoreItems(sums, { terms, weight: 1, pruning, admits: population.admits });
        return sums;
      };
      const shareOfBestNeeded = 0.45;
      const all = sumsWith(undefined);
      const some = sumsWith({ shareOfBestNeeded, titles: index.titles });
      const best = all.bestCovered(() => true);
      expect(some.bestCovered(() => true)).toBe(best);
      for (let doc = 0; doc < index.capacity; doc++) {
        if ((all.covered[doc] as number) < best * shareOfBestNeeded * 1.001) continue;
        expect([some.covered[doc], some.scores[doc]]).toEqual([all.covered[doc], all.scores[doc]]);
      }
      found += all.count;
      pruned += all.count - some.count;
    }),
    { numRuns: 500 },
  );
  expect(pruned).toBeGreaterThan(found / 100);
});
