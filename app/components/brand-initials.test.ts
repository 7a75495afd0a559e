import { describe, expect, it } from "vitest";
import { hueOf, initialsOf, MARK_HUES } from "./brand-initials";

describe("initialsOf", () => {
  it.each([
    ["Voltane", "V"],
    ["Auralis Audio", "AA"],
    ["Ridgeline & Pike", "RP"],
    ["wayfarer air trips", "WA"],
    ["O'Neill's", "O"],
    ["3M", "3"],
    ["élan vital", "ÉV"],
    ["ßuper", "S"],
    ["山田 電機", "山電"],
    ["\u{1D504}lpha 😀 beta", "\u{1D504}B"],
    ["  ", ""],
    ["!!! 😀 \u202E", ""],
  ])("of %j are %j", (name, initials) => expect(initialsOf(name)).toBe(initials));
});

describe("hueOf", () => {
  it("is always the same for a name and one of the palette", () => {
    for (const name of ["", "Voltane", "x".repeat(200), "山田"]) {
      expect(MARK_HUES).toContain(hueOf(name));
      expect(hueOf(name)).toBe(hueOf(`${name}`));
    }
  });

  it("uses the whole palette for different names", () => {
    const names = Array.from({ length: 200 }, (_, i) => `Brand ${i}`);
    expect(new Set(names.map(hueOf)).size).toBe(MARK_HUES.length);
  });
});
