import { expect, it } from "vitest";
import { forecastOf, perText, pointsOf, quantityText } from "./usage-view";

const MONTH = { from: "2026-11-01T00:00:00.000Z", to: "2026-11-03T12:00:00.000Z" };
const ROW = { quantity: "1", unit: "second", unit_price: null, price_quantity: 3600, final: true };

it("has a point for each day up to today, with zeros where nothing was used", () => {
  const data = [
    { day: "2026-11-02", service: "pods" as const, amount: "1.50", ...ROW },
    { day: "2026-11-02", service: "queues" as const, amount: "0.0004", ...ROW },
    { day: "2026-11-03", service: "storage" as const, amount: null, ...ROW },
  ];
  expect(pointsOf({ ...MONTH, data })).toEqual([
    { x: "2026-11-01", pods: 0, sandboxes: 0, workspaces: 0, reservations: 0, volumes: 0, functions: 0, queues: 0 },
    {
      x: "2026-11-02",
      pods: 1_500_000,
      sandboxes: 0,
      workspaces: 0,
      reservations: 0,
      volumes: 0,
      functions: 0,
      queues: 400,
    },
    { x: "2026-11-03", pods: 0, sandboxes: 0, workspaces: 0, reservations: 0, volumes: 0, functions: 0, queues: 0 },
  ]);
  expect(pointsOf({ ...MONTH, to: "2026-11-03T00:00:00.000Z", data })).toHaveLength(2);
});

it("forecasts a month from the part that is over, but not on its first day", () => {
  expect(forecastOf({ ...MONTH, total: "5.00" })).toBeCloseTo(60_000_000);
  expect(forecastOf({ ...MONTH, to: "2026-11-01T23:59:59.000Z", total: "5.00" })).toBeUndefined();
});

it("shows time in hours, and counts with their units", () => {
  expect([quantityText("90", "second"), quantityText("5400", "second")]).toEqual(["90 s", "1.50 h"]);
  expect([quantityText("1204", "operation"), quantityText("0.25", "gb_month"), quantityText(null, null)]).toEqual([
    "1,204 operations",
    "0.25 GB-months",
    "–",
  ]);
  expect([perText("second", 3600), perText("operation", 1_000_000)]).toEqual(["per hour", "per 1,000,000 operations"]);
});
