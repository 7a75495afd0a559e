import { describe, expect, it } from "vitest";
import { barOf, monthTicks, percentAt, stepPath } from "./timeline";

const fromMs = Date.parse("2026-11-26T00:00:00Z");
const quarter = { fromMs, days: 100 };
const day = (days: number) => new Date(fromMs + days * 86_400_000).toISOString();

describe("the picture of a pool", () => {
  it("shows the part of a reservation that is in it", () => {
    expect(barOf(quarter, { starts_at: day(10), ends_at: day(40) })).toEqual({ left: 10, width: 30 });
    expect(barOf(quarter, { starts_at: day(-20), ends_at: day(10) })).toEqual({ left: 0, width: 10 });
    expect(barOf(quarter, { starts_at: day(95), ends_at: day(460) })).toEqual({ left: 95, width: 5 });
    expect(barOf(quarter, { starts_at: day(-40), ends_at: day(-10) })).toBeUndefined();
    expect(percentAt(quarter, fromMs + 50 * 86_400_000)).toBe(50);
  });

  it("has a tick for each month, in a year for each quarter", () => {
    expect(monthTicks(quarter).map(({ label }) => label)).toEqual(["1 Dec", "1 Jan", "1 Feb", "1 Mar"]);
    expect(monthTicks({ fromMs, days: 365 }).map(({ label }) => label)).toEqual(["1 Jan", "1 Apr", "1 Jul", "1 Oct"]);
  });

  it("shows the free GPUs as steps", () => {
    const steps = [
      { at: day(0), count: 8 },
      { at: day(25), count: 2 },
    ];
    expect(stepPath(quarter, steps, 8)).toBe("M0,100 L0.00,0.00 L25.00,0.00 L25.00,75.00 L100.00,75.00 L100,100 Z");
  });
});
