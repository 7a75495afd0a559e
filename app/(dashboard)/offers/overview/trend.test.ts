import { describe, expect, it } from "vitest";
import type { Report } from "./report";
import { sumsBy, timeOfDay } from "./trend";

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
