import { expect, it } from "vitest";
import { TurnOrder } from "./turn-order";

it("A has the oldest of what waits; after A's turn B and C come before A", () => {
  const order = new TurnOrder();
  const sorted = (...waiting: string[]) => order.sort(waiting, (one) => one[0] ?? "").join(" ");
  expect(sorted("a1", "a2", "b1", "c1")).toBe("a1 a2 b1 c1");
  order.note("a");
  expect(sorted("a2", "a3", "b1", "c1")).toBe("b1 c1 a2 a3");
  order.note("b");
  expect(sorted("a2", "b2", "c1")).toBe("c1 a2 b2");
  expect(sorted("b2")).toBe("b2");
  expect(sorted("a4", "b2")).toBe("a4 b2");
});
