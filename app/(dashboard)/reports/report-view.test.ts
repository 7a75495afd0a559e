import { describe, expect, it } from "vitest";
import { choiceOf, daysBetween, formatFigure } from "./report-view";

describe("choiceOf", () => {
  it("reads a shared address back exactly", () => {
    const choice = choiceOf(
      new URLSearchParams("from=2026-11-01&to=2026-11-20&timezone=Europe/Berlin&group_by=channel&figure=clicks"),
    );
    expect(choice).toMatchObject({
      from: "2026-11-01",
      to: "2026-11-20",
      timezone: "Europe/Berlin",
      group: "channel",
      figure: { key: "clicks" },
    });
  });

  it("falls back to a week by day for what it does not know", () => {
    const choice = choiceOf(new URLSearchParams("from=yesterday&to=2026-11-20&group_by=planet&figure=fame"));
    expect(choice).toMatchObject({
      from: "2026-11-14",
      to: "2026-11-20",
      group: "day",
      figure: { key: "impressions" },
    });
  });
});

describe("daysBetween", () => {
  it("names each day once, across a month's end and a change of clocks", () => {
    expect(daysBetween("2026-10-24", "2026-10-26")).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
    expect(daysBetween("2026-02-28", "2026-03-01")).toEqual(["2026-02-28", "2026-03-01"]);
    expect(daysBetween("2026-03-02", "2026-03-01")).toEqual([]);
  });
});

describe("formatFigure", () => {
  it("shows a dash, not zero, for a rate that nothing was measured for", () => {
    expect(formatFigure(null, "share", "USD")).toBe("–");
    expect(formatFigure(0.125, "share", "USD")).toBe("12.5%");
    expect(formatFigure(1_500_000, "money", "USD")).toBe("$1.50");
  });
});
