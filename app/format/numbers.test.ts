import { describe, expect, it } from "vitest";
import { changeText } from "./numbers";

describe("a change", () => {
  it("is told in per cent of what was there before", () => {
    expect(changeText(12, 10)).toBe("+20%");
    expect(changeText(0, 10)).toBe("−100%");
    expect(changeText(1001, 1000)).toBe("±0%");
  });

  it("is told in times where per cents would run into the thousands", () => {
    expect(changeText(9.9, 1)).toBe("+890%");
    expect(changeText(1, 0.01)).toBe("100×");
    expect(changeText(14_887, 1)).toBe(">100×");
  });

  it("is none where nothing was before", () => {
    expect(changeText(5, 0)).toBeUndefined();
  });
});
