import { describe, expect, it } from "vitest";
import { amountOf, formatMoney, parseMicros } from "./money";

describe("parseMicros", () => {
  it("reads whole and decimal amounts exactly, with a point or a comma", () => {
    expect(parseMicros("1")).toBe(1_000_000);
    expect(parseMicros(" 1.25 ")).toBe(1_250_000);
    expect(parseMicros("0,000001")).toBe(1);
    expect(parseMicros("999999999.999999")).toBe(999_999_999_999_999);
  });

  it("refuses what is no amount, rather than guess", () => {
    for (const text of ["", "-1", "1e3", "1.2345678", "1.000,50", "$1", "one", "1.", ".5"]) {
      expect(parseMicros(text)).toBeUndefined();
    }
  });
});

describe("amountOf", () => {
  it("gives back what parseMicros read", () => {
    for (const micros of [0, 1, 350, 10_000, 500_000, 1_250_000, 999_999_999_999_999]) {
      expect(parseMicros(amountOf(micros))).toBe(micros);
    }
    expect(amountOf(1_500_000)).toBe("1.50");
  });
});

describe("formatMoney", () => {
  it("keeps small amounts visible", () => {
    expect(formatMoney(1_234_560_000, "USD")).toBe("$1,234.56");
    expect(formatMoney(3500, "USD")).toBe("$0.0035");
    expect(formatMoney(0, "EUR")).toBe("€0.00");
  });
});
