import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Report } from "./report";
import { TodayFigures } from "./today-figures";

const row = (day: string, requests: number) =>
  ({
    day,
    requests,
    served: 0,
    impressions: 0,
    clicks: 0,
    conversions: 0,
    earnings_micros: 0,
    spend_micros: 0,
  }) as Report["rows"][number];

it("draws today as the last value of a sparkline, apart from the days that are over", () => {
  const shown = ["2026-11-18", "2026-11-19", "2026-11-20"];
  const rows = [row("2026-11-18", 10), row("2026-11-20", 5)];
  const days = { currency: "USD", rows, totals: row("", 15) as Report["totals"] } as Report;
  const html = renderToStaticMarkup(
    <TodayFigures days={days} hours={undefined} shown={shown} time={{ hour: 9, passed: 0 }} />,
  );
  const [closed = "", open = ""] = [...html.matchAll(/<polyline points="([^"]*)"/g)].map(([, points]) => points);
  expect(closed.split(" ")).toEqual(["2.0,2.0", "50.0,26.0"]);
  // Half of the largest value, at the right end.
  expect(open.split(" ")).toEqual(["50.0,26.0", "98.0,14.0"]);
});
