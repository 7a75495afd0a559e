import { expect, it } from "vitest";
import type { Report } from "../../reports/report-view";
import { figurePoints } from "./figure-points";

it("has a point for each day, zero where nothing happened, and leaves other days out", () => {
  const rows = [
    { day: "2026-11-17", clicks: 9 },
    { day: "2026-11-18", clicks: 4 },
    { day: "2026-11-20", clicks: null },
  ] as unknown as Report["rows"];
  const points = figurePoints({ rows }, { of: ({ clicks }) => clicks }, { today: "2026-11-20", days: 3 });
  expect(points).toEqual([
    { x: "2026-11-18", value: 4 },
    { x: "2026-11-19", value: 0 },
    { x: "2026-11-20", value: 0 },
  ]);
});
