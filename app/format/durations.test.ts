import { expect, it } from "vitest";
import { formatAge, formatDuration } from "./durations";

it("shows a setting in the unit in which it is a whole number", () => {
  expect([1, 30, 60, 90, 5400, 345_600, 0].map(formatDuration)).toEqual([
    "1 second",
    "30 seconds",
    "1 minute",
    "90 seconds",
    "90 minutes",
    "4 days",
    "0 seconds",
  ]);
});

it("shows an age in its two largest units", () => {
  expect([0, 41, 200, 3600, 7384, 190_800].map(formatAge)).toEqual([
    "0 s",
    "41 s",
    "3 min 20 s",
    "1 h",
    "2 h 3 min",
    "2 d 5 h",
  ]);
});
