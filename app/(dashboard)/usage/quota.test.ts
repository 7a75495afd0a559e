import { expect, it } from "vitest";
import { fillText, isLifted, quotaName } from "./quota";

it("names a limit in words", () => {
  expect(quotaName({ resource: "active_keys_per_project" })).toBe("Active keys per project");
});

it("says how near a limit is", () => {
  expect(fillText("fine", { used: 1, limit: 8 })).toBe("12.5% used");
  expect(fillText("near", { used: 80, limit: 100 })).toBe("Nearly full: room for 20 more.");
  expect(fillText("full", { used: 100, limit: 100 })).toBe("At the limit: nothing more can be created.");
});

it("calls a limit lifted when an operator set another one, also a lower one", () => {
  expect(isLifted({ limit: 100, default_limit: 100 })).toBe(false);
  expect(isLifted({ limit: 200, default_limit: 100 })).toBe(true);
  expect(isLifted({ limit: 50, default_limit: 100 })).toBe(true);
});
