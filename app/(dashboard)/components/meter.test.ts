import { expect, it } from "vitest";
import { fillOf } from "./meter";

it.each([
  [0, 100, "fine"],
  [79, 100, "fine"],
  [80, 100, "near"],
  [99, 100, "near"],
  [100, 100, "full"],
  [101, 100, "full"],
  [0, 0, "full"],
  [1, 2, "fine"],
] as const)("calls %d of %d %s", (used, limit, fill) => {
  expect(fillOf(used, limit)).toBe(fill);
});
