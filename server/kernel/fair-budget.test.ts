import { expect, it } from "vitest";
import { FairBudget } from "./fair-budget";

it("A takes all that it can get of a budget; B gets a part of the rest, and A's part is free when A returns it", () => {
  const budget = new FairBudget(100);
  expect([budget.tryTake("a", 51), budget.tryTake("a", 50), budget.tryTake("a", 1)]).toEqual([false, true, false]);
  expect([budget.tryTake("b", 25), budget.tryTake("b", 1), budget.tryTake("c", 12)]).toEqual([true, false, true]);
  budget.giveBack("a", 50);
  expect([budget.tryTake("b", 19), budget.tryTake("b", 1)]).toEqual([true, false]);
});
