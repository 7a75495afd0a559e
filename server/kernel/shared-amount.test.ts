import { expect, test } from "vitest";
import { type Holder, SharedAmount } from "./shared-amount";

const half = (key: string): Holder => ({ key, ofFree: 1 / 2 });

/** How many times one part can be taken. */
function takeAll(amount: SharedAmount, holder: Holder): number {
  let taken = 0;
  while (amount.take([holder], 1)) taken++;
  return taken;
}

test("one holder gets a third, and each that comes later finds some until all is taken", () => {
  const amount = new SharedAmount(30);
  expect(takeAll(amount, half("a"))).toBe(10);
  const taken = Array.from({ length: 40 }, (_, i) => takeAll(amount, half(`later ${i}`)));
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(20);
  // Nobody gets nothing before all is taken.
  expect(taken.lastIndexOf(Math.max(1, taken.at(taken.indexOf(0) - 1) ?? 0))).toBe(taken.indexOf(0) - 1);
});

test("a part is taken for all of its holders or for none, and is free once it is released", () => {
  const amount = new SharedAmount(4);
  const both = [half("a"), half("b")];
  expect([amount.take(both, 1), amount.take(both, 1), amount.take(both, 1)]).toEqual([true, true, false]);
  expect(amount.take([half("b"), half("c")], 1)).toBe(false);
  expect(amount.heldBy("c")).toBe(0);
  amount.release(both, 2);
  expect([amount.heldBy("a"), amount.take(both, 4), amount.take([half("c")], 1)]).toEqual([0, true, false]);
});
