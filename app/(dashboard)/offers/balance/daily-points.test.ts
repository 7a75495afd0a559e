import { expect, it } from "vitest";
import { dailyPoints, monthBefore } from "./daily-points";

it("has every day from the first one with a value until today, over the end of a month", () => {
  const days = new Map([
    ["2026-11-01", { earned: 5 }],
    ["2026-10-30", { earned: 7 }],
  ]);
  expect(dailyPoints(days, ["earned"], "2026-11-02")).toEqual([
    { x: "2026-10-30", earned: 7 },
    { x: "2026-10-31", earned: 0 },
    { x: "2026-11-01", earned: 5 },
    { x: "2026-11-02", earned: 0 },
  ]);
  expect(dailyPoints(new Map(), ["earned"], "2026-11-02")).toEqual([]);
});

it("finds the month before, over the end of a year", () => {
  expect([monthBefore("2026-11"), monthBefore("2026-01"), monthBefore("2026-03")]).toEqual([
    "2026-10",
    "2025-12",
    "2026-02",
  ]);
});
