import { expect, it } from "vitest";
import { findingsText, progressText } from "./shield";

const PROGRESS = { unchanged: 0, binary: 0, partly: 0, unreadable: 0, bytes_total: null };

it("progress names the total while objects are left, and findings are named from the most severe", () => {
  expect(progressText({ ...PROGRESS, objects: 120, objects_total: 3000, bytes: 0 })).toBe("120 of 3,000 objects, 0 B");
  expect(progressText({ ...PROGRESS, objects: 1, objects_total: 1, bytes: 0 })).toBe("1 object, 0 B");
  expect(progressText({ ...PROGRESS, objects: 0, objects_total: null, bytes: 0 })).toBe("0 objects, 0 B");
  const none = { critical: 0, high: 0, medium: 0, low: 0, new: 0, resolved: 0, omitted: 0 };
  expect(findingsText({ ...none, critical: 1, low: 1200 })).toBe("1 critical, 1,200 low");
  expect(findingsText(none)).toBe("");
});
