import { expect, it } from "vitest";
import { fillText, isCustom, quotaName } from "./quota";

it("names a limit in words", () => {
  expect(quotaName({ resource: "active_keys_per_project" })).toBe("Active keys per project");
});

it("describes how close the limit is", () => {
  expect(fillText("fine", { used: 1, limit: 8 })).toBe("12.5% used");
  expect(fillText("near", { used: 80, limit: 100 })).toBe("Nearly full: 20 left.");
  expect(fillText("full", { used: 100, limit: 100 })).toBe("At the limit: no more can be created.");
});

it("calls a limit lifted when an operator set another one, also a lower one", () => {
  expect(isCustom({ limit: 100, default_limit: 100 })).toBe(false);
  expect(isCustom({ limit: 200, default_limit: 100 })).toBe(true);
  expect(isCustom({ limit: 50, default_limit: 100 })).toBe(true);
});
