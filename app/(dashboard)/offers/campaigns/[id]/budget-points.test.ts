import { describe, expect, it } from "vitest";
import { dayPoints, periodPoints, type Spend } from "./budget-points";

const SPEND: Spend = {
  day: "2026-11-20",
  day_from: "2026-11-19T23:00:00.000Z",
  day_to: "2026-11-20T23:00:00.000Z",
  today_micros: 3_000_000,
  total_micros: 9_000_000,
  slots: [
    { at: "2026-11-19T23:00:00.000Z", spend_micros: 1_000_000 },
    { at: "2026-11-20T05:00:00.000Z", spend_micros: 2_000_000 },
  ],
  days: [
    { day: "2026-11-18", spend_micros: 4_000_000 },
    { day: "2026-11-20", spend_micros: 3_000_000 },
  ],
};
const NOON = new Date("2026-11-20T11:00:00Z");

describe("the day's plot of a budget", () => {
  const plan = {
    points: [
      { at: "2026-11-19T23:00:00.000Z", planned_micros: 0 },
      { at: "2026-11-20T11:00:00.000Z", planned_micros: 4_000_000 },
      { at: "2026-11-20T23:00:00.000Z", planned_micros: 12_000_000 },
    ],
  };
  const points = dayPoints(SPEND, plan, NOON);
  const at = (x: string) => points.find((point) => point.x === x);

  it("adds up what was spent in the quarter hours before a moment, and leaves the future open", () => {
    expect(at("2026-11-19T23:00:00.000Z")).toMatchObject({ spent: 0 });
    expect(at("2026-11-19T23:15:00.000Z")).toMatchObject({ spent: 1_000_000 });
    expect(at("2026-11-20T05:15:00.000Z")).toMatchObject({ spent: 3_000_000 });
    expect(at("2026-11-20T12:00:00.000Z")).not.toHaveProperty("spent");
  });

  it("draws the plan between its points", () => {
    expect(at("2026-11-20T05:00:00.000Z")).toMatchObject({ planned: 2_000_000 });
    expect(at("2026-11-20T17:00:00.000Z")).toMatchObject({ planned: 8_000_000 });
    expect(points.at(-1)).toMatchObject({ x: "2026-11-20T23:00:00.000Z", planned: 12_000_000 });
  });

  it("has no plan where none was made", () => {
    expect(dayPoints(SPEND, { points: [] }, NOON)[0]).not.toHaveProperty("planned");
  });
});

describe("the period's plot of a budget", () => {
  const campaign = {
    created_at: "2026-11-01T10:00:00.000Z",
    starts_at: null,
    ends_at: null,
    total_budget_micros: null,
    timezone: "UTC",
  };

  it("begins with what was spent before the listed days", () => {
    expect(periodPoints(SPEND, campaign)).toEqual([
      { x: "2026-11-18", spent: 6_000_000 },
      { x: "2026-11-19", spent: 6_000_000 },
      { x: "2026-11-20", spent: 9_000_000 },
    ]);
  });

  it("spreads a total budget from the start to the end", () => {
    const points = periodPoints(SPEND, {
      ...campaign,
      starts_at: "2026-11-16T00:00:00.000Z",
      ends_at: "2026-11-26T00:00:00.000Z",
      total_budget_micros: 20_000_000,
    });
    expect(points[0]).toEqual({ x: "2026-11-16", spent: 2_000_000, planned: 2_000_000 });
    expect(points.find(({ x }) => x === "2026-11-20")).toEqual({
      x: "2026-11-20",
      spent: 9_000_000,
      planned: 10_000_000,
    });
    expect(points.at(-1)).toEqual({ x: "2026-11-25", planned: 20_000_000 });
  });

  it("counts the days of the campaign's own time zone", () => {
    const points = periodPoints(SPEND, {
      ...campaign,
      timezone: "Europe/Berlin",
      starts_at: "2026-11-15T23:00:00.000Z",
      ends_at: "2026-11-25T23:00:00.000Z",
      total_budget_micros: 20_000_000,
    });
    expect(points[0]).toMatchObject({ x: "2026-11-16", planned: 2_000_000 });
    expect(points.at(-1)).toEqual({ x: "2026-11-25", planned: 20_000_000 });
  });
});
