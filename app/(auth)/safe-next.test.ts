import { describe, expect, it } from "vitest";
import { safeNext } from "./safe-next";

describe("safeNext", () => {
  it("keeps a path of this site with its query", () => {
    expect(safeNext("/reports?group_by=day")).toBe("/reports?group_by=day");
  });

  it("never leaves the site", () => {
    for (const next of [
      "//evil.example",
      "/\\evil.example",
      "/\t/evil.example",
      "https://evil.example",
      "javascript:alert(1)",
    ]) {
      expect(safeNext(next)).toBe("/dashboard");
    }
    expect(safeNext(null)).toBe("/dashboard");
  });
});
