import { describe, expect, it } from "vitest";
import { choiceOf, daysBetween, formatFigure, groupOf, groupsAsked, hoursBetween, keyOf } from "./report-view";

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

describe("hoursBetween", () => {
  it("begins each hour once, the one that is not over too", () => {
    const [from, to] = [Date.parse("2026-11-20T22:00:00Z"), Date.parse("2026-11-21T00:15:00Z")];
    expect(hoursBetween(from, to).map((at) => new Date(at).toISOString().slice(11, 16))).toEqual([
      "22:00",
      "23:00",
      "00:00",
    ]);
    expect(hoursBetween(to, from)).toEqual([]);
  });
});

describe("a report by creative", () => {
  it("is asked for with the campaigns, and known again as one by creative", () => {
    expect(groupsAsked("creative")).toBe("campaign,creative");
    expect(groupOf({ group_by: ["campaign", "creative"] })).toBe("creative");
    expect([groupsAsked("traffic"), groupOf({ group_by: ["traffic"] })]).toEqual(["traffic", "traffic"]);
  });

  it("tells the products of two campaigns apart, which have no creative", () => {
    const rowOf = (campaign: string) => ({ campaign, creative: null }) as unknown as Parameters<typeof keyOf>[0];
    expect(keyOf(rowOf("cmp_1"), "creative")).not.toBe(keyOf(rowOf("cmp_2"), "creative"));
  });
});

describe("formatFigure", () => {
  it("shows a dash, not zero, for a rate that nothing was measured for", () => {
    expect(formatFigure(null, "share", "USD")).toBe("–");
    expect(formatFigure(0.125, "share", "USD")).toBe("12.5%");
    expect(formatFigure(1_500_000, "money", "USD")).toBe("$1.50");
  });
});
