import fc from "fast-check";
import { expect, it } from "vitest";
import { NO_KEY, WinnerTree } from "./winner-tree";

it("returns the first slot with the highest key after any series of changes", () => {
  const changes = fc.array(fc.record({ slot: fc.nat(12), key: fc.constantFrom(NO_KEY, -3, 0, 1, 7) }));
  fc.assert(
    fc.property(changes, (series) => {
      const tree = new WinnerTree(13);
      const keys = new Array<number>(13).fill(NO_KEY);
      for (const { slot, key } of series) {
        tree.set(slot, key);
        keys[slot] = key;
        expect(tree.highest).toBe(Math.max(...keys));
        if (tree.highest !== NO_KEY) expect(tree.first).toBe(keys.indexOf(tree.highest));
      }
    }),
  );
});
