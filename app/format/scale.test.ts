import { describe, expect, it } from "vitest";
import { formatUnit, scaleOf, type Unit } from "./scale";

const COUNT: Unit = { kind: "count" };
const SHARE: Unit = { kind: "share" };
const USD: Unit = { kind: "money", currency: "USD" };

const textsOf = (values: number[], unit: Unit): string[] => {
  const { ticks, tickText } = scaleOf(values, unit);
  return ticks.map(tickText);
};

describe("the axis of counts", () => {
  it("has whole ticks only, however few events there are", () => {
    expect(textsOf([1, 0], COUNT)).toEqual(["0", "1"]);
    expect(textsOf([0, 3], COUNT)).toEqual(["0", "1", "2", "3"]);
    expect(textsOf([7], COUNT)).toEqual(["0", "2", "4", "6", "8"]);
    expect(textsOf([], COUNT)).toEqual(["0", "1", "2", "3", "4"]);
  });

  it("shortens large counts", () => {
    expect(textsOf([1230], COUNT)).toEqual(["0", "500", "1,000", "1,500"]);
    expect(textsOf([41_000], COUNT)).toEqual(["0", "20K", "40K", "60K"]);
  });
});

describe("the axis of money", () => {
  it("writes cents in full", () => {
    expect(textsOf([550_000], USD)).toEqual(["$0", "$0.20", "$0.40", "$0.60"]);
  });

  it("tells fractions of a cent apart", () => {
    expect(textsOf([3500], USD)).toEqual(["$0", "$0.001", "$0.002", "$0.003", "$0.004"]);
  });

  it("omits cents of whole amounts", () => {
    expect(textsOf([18_700_000], USD)).toEqual(["$0", "$5", "$10", "$15", "$20"]);
    expect(textsOf([32_000_000_000], USD)).toEqual(["$0", "$10K", "$20K", "$30K", "$40K"]);
  });
});

it("shows shares in percent", () => {
  expect(textsOf([0.034], SHARE)).toEqual(["0%", "1%", "2%", "3%", "4%"]);
  expect(textsOf([0.0034], SHARE)).toEqual(["0%", "0.1%", "0.2%", "0.3%", "0.4%"]);
});

it("has different texts for different ticks and room for the largest value, over every order of magnitude", () => {
  for (const unit of [COUNT, USD, SHARE]) {
    for (let top = unit.kind === "share" ? 0.0002 : 1; top < (unit.kind === "share" ? 1 : 1e13); top *= 1.37) {
      const { ticks, tickText } = scaleOf([top, top / 3], unit);
      const texts = ticks.map(tickText);
      expect(new Set(texts).size, texts.join(" ")).toBe(texts.length);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(top * (1 - 1e-9));
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  }
});

it("writes a single value with all of its digits", () => {
  expect([formatUnit(1234, COUNT), formatUnit(600_000, USD), formatUnit(0.125, SHARE)]).toEqual([
    "1,234",
    "$0.60",
    "12.5%",
  ]);
});
