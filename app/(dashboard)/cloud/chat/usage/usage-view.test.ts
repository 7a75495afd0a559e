import { expect, it } from "vitest";
import { PERIODS, pointsOf, startOf } from "./usage-view";

const NOW = new Date("2026-11-23T10:30:00Z");
const ROW = {
  requests: 2,
  errors: 1,
  cached: 0,
  prompt_tokens: 10,
  completion_tokens: 5,
  cost_micros: 7,
  latency_ms: { p50: 3, p95: 9 },
  first_byte_ms: { p50: 1, p95: 2 },
};

it("has a point for each step, with zeros where nothing happened, and the current step last", () => {
  const [hours, days] = PERIODS;
  expect(startOf(hours, NOW)).toBe("2026-11-22T11:00:00.000Z");
  const byHour = pointsOf({ data: [{ hour: "2026-11-23T10:00:00Z", ...ROW }] }, hours, NOW);
  expect([byHour.length, byHour.at(-1)?.requests, byHour[0]?.requests]).toEqual([24, 2, 0]);
  const byDay = pointsOf({ data: [{ day: "2026-11-22", ...ROW }] }, days, NOW);
  expect(byDay.map(({ requests }) => requests)).toEqual([0, 0, 0, 0, 0, 2, 0]);
  expect(byDay.at(-2)).toMatchObject({ x: "2026-11-22T00:00:00.000Z", p50: 3, p95: 9 });
});
