import { describe, expect, it } from "vitest";
import type { Report } from "./report";
import { changeText, sumsBy, timeOfDay } from "./trend";

const row = (hour: string, requests: number) =>
  ({
    hour,
    requests,
    served: 0,
    impressions: 0,
    clicks: 0,
    conversions: 0,
    earnings_micros: 0,
    spend_micros: 0,
  }) as Report["rows"][number];

const ROWS = [
  row("2026-11-19T08:00:00+01:00", 10),
  row("2026-11-19T09:00:00+01:00", 40),
  row("2026-11-19T10:00:00+01:00", 500),
  row("2026-11-20T08:00:00+01:00", 7),
];

describe("a day so far", () => {
  it("takes of the hour under way the part that has passed, and nothing of the hours to come", () => {
    expect(sumsBy(ROWS, "2026-11-19", { hour: 9, passed: 0.25 }).requests).toBe(20);
  });

  it("takes no other day", () => {
    expect(sumsBy(ROWS, "2026-11-20", { hour: 23, passed: 1 }).requests).toBe(7);
    expect(sumsBy(ROWS, "2026-11-18", { hour: 23, passed: 1 }).requests).toBe(0);
  });

  it("reads the time in the report's zone", () => {
    expect(timeOfDay(new Date("2026-11-20T08:15:00Z"), "Europe/Berlin")).toEqual({ hour: 9, passed: 0.25 });
    expect(timeOfDay(new Date("2026-11-20T23:30:00Z"), "Europe/Berlin")).toEqual({ hour: 0, passed: 0.5 });
  });
});

describe("a change", () => {
  it("is told in per cent of what was there before", () => {
    expect(changeText(12, 10)).toBe("+20%");
    expect(changeText(0, 10)).toBe("−100%");
    expect(changeText(1001, 1000)).toBe("±0%");
  });

  it("is told in times where per cents would run into the thousands", () => {
    expect(changeText(9.9, 1)).toBe("+890%");
    expect(changeText(1, 0.01)).toBe("100×");
  });

  it("is none where nothing was before", () => {
    expect(changeText(5, 0)).toBeUndefined();
  });
});
