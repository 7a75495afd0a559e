import { expect, it } from "vitest";
import { requestPeriodOf } from "./request-period";

const NOW = new Date("2026-11-20T14:35:00Z");

const periodOf = (asked: Parameters<typeof requestPeriodOf>[0]) => {
  const { fromMs, toMs } = requestPeriodOf(asked, NOW);
  return [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16));
};

it("is the last 30 days or 48 hours by default, this day or hour included", () => {
  expect(periodOf({ interval: "day" })).toEqual(["2026-10-22T00:00", "2026-11-21T00:00"]);
  expect(periodOf({ interval: "hour" })).toEqual(["2026-11-18T15:00", "2026-11-20T15:00"]);
});

it("is widened to whole hours or days", () => {
  const asked = { from: "2026-11-01T10:20:00+02:00", to: "2026-11-02T10:20:00Z" };
  expect(periodOf({ ...asked, interval: "hour" })).toEqual(["2026-11-01T08:00", "2026-11-02T11:00"]);
  expect(periodOf({ ...asked, interval: "day" })).toEqual(["2026-11-01T00:00", "2026-11-03T00:00"]);
});

it("is at most 31 days by hour and 400 by day", () => {
  expect(periodOf({ from: "2026-10-01", to: "2026-11-01", interval: "hour" })).toHaveLength(2);
  expect(() => periodOf({ from: "2026-10-01", to: "2026-11-01T00:00:01Z", interval: "hour" })).toThrow(
    /by hour covers/,
  );
  expect(() => periodOf({ from: "2025-10-16", to: "2026-11-20T00:00:01Z", interval: "day" })).toThrow(/at most 400/);
});
