import { describe, expect, it } from "vitest";
import { historyPeriodOf, historyPoints } from "./bucket-history";

const NOW = new Date("2026-11-20T12:34:56Z");
const usage = (objects: number) => ({ objects, versions: objects, bytes: objects });

describe("the history of a bucket", () => {
  it("has hours for up to 7 days and days for more, and ends with the step of now", () => {
    const week = historyPeriodOf(7, NOW);
    expect([week.step, week.steps, new Date(week.fromMs).toISOString()]).toEqual([
      "1h",
      168,
      "2026-11-13T13:00:00.000Z",
    ]);
    const quarter = historyPeriodOf(90, NOW);
    expect([quarter.step, quarter.steps, new Date(quarter.fromMs).toISOString()]).toEqual([
      "1d",
      90,
      "2026-08-23T00:00:00.000Z",
    ]);
  });

  it("repeats the last measurement where nothing changed, and ends with what the bucket has now", () => {
    const period = { step: "1h" as const, stepMs: 10, fromMs: 100, steps: 5 };
    const stored = [
      { startMs: 50, ...usage(1) },
      { startMs: 110, ...usage(2) },
      { startMs: 130, ...usage(3) },
    ];
    const points = historyPoints(stored, period, usage(9));
    expect(points.map(({ objects }) => objects)).toEqual([1, 2, 2, 3, 9]);
    expect(historyPoints([], period, usage(9)).map(({ bytes }) => bytes)).toEqual([0, 0, 0, 0, 9]);
  });
});
