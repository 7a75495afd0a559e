import { describe, expect, it } from "vitest";
import { FIGURES, formatFigure } from "./report-figures";

const SUMS = {
  requests: 0,
  filled: 0,
  fill_rate: null,
  served: 0,
  impressions: 0,
  viewable_rate: null,
  clicks: 0,
  invalid_impressions: 0,
  invalid_clicks: 0,
  ctr: null,
  spend_micros: 0,
  earnings_micros: 0,
  conversions: 0,
  conversion_value_micros: 0,
  unverified_conversions: 0,
  unverified_conversion_value_micros: 0,
};

const figureOf = (key: string, sums: Partial<typeof SUMS>) =>
  FIGURES.find((figure) => figure.key === key)?.of({ ...SUMS, ...sums });

describe("derived figures", () => {
  it("are earnings per 1,000 impressions, and spend per click", () => {
    expect(figureOf("rpm", { earnings_micros: 6_000_000, impressions: 4000 })).toBe(1_500_000);
    expect(figureOf("ecpc", { spend_micros: 6_000_000, clicks: 40 })).toBe(150_000);
  });

  it("are unknown where nothing was measured", () => {
    expect(figureOf("rpm", {})).toBeNull();
    expect(figureOf("ecpc", { spend_micros: 6_000_000 })).toBeNull();
  });
});

describe("formatFigure", () => {
  it("shows a dash, not zero, where nothing was measured", () => {
    expect(formatFigure(null, "share", "USD")).toBe("–");
    expect(formatFigure(null, "money", "USD")).toBe("–");
    expect(formatFigure(0.125, "share", "USD")).toBe("12.50%");
    expect(formatFigure(1_500_000, "money", "USD")).toBe("$1.50");
  });
});
