import { describe, expect, it } from "vitest";
import { choiceOf, daysBetween, groupsAsked, groupsOf, hoursBetween, keyOf, periodBefore } from "./report-view";

describe("choiceOf", () => {
  it("reads a shared address back exactly", () => {
    const choice = choiceOf(
      new URLSearchParams(
        "from=2026-11-01&to=2026-11-20&timezone=Europe/Berlin&group_by=channel,day&figure=rpm&sort=-ecpc&columns=clicks,rpm&compare=1&channel=chn_1&campaign=house",
      ),
    );
    expect(choice).toMatchObject({
      from: "2026-11-01",
      to: "2026-11-20",
      timezone: "Europe/Berlin",
      groups: ["channel", "day"],
      figure: { key: "rpm" },
      columns: [{ key: "clicks" }, { key: "rpm" }],
      sorting: { key: "ecpc", isDescending: true },
      isCompared: true,
      channel: "chn_1",
      campaign: "house",
    });
  });

  it("falls back to a week by day for what it does not know", () => {
    const choice = choiceOf(
      new URLSearchParams("from=yesterday&to=2026-11-20&group_by=planet,planet&figure=fame&sort=fame"),
    );
    expect(choice).toMatchObject({
      from: "2026-11-14",
      to: "2026-11-20",
      groups: ["day"],
      figure: { key: "impressions" },
      sorting: undefined,
      isCompared: false,
      channel: "",
    });
    expect(choice.columns.map(({ key }) => key)).toContain("rpm");
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
  it("is requested with the campaigns, which are a group of their own only if they were chosen", () => {
    expect(groupsAsked(["creative"])).toBe("campaign,creative");
    expect(groupsOf({ group_by: ["campaign", "creative"] }, ["creative"])).toEqual(["creative"]);
    expect(groupsOf({ group_by: ["campaign", "creative"] }, ["campaign", "creative"])).toEqual([
      "campaign",
      "creative",
    ]);
    expect(groupsOf({ group_by: ["campaign"] }, ["creative"])).toEqual(["campaign"]);
    expect([groupsAsked(["traffic", "day"]), groupsOf({ group_by: ["traffic", "day"] }, ["day"])]).toEqual([
      "traffic,day",
      ["traffic", "day"],
    ]);
  });

  it("tells the products of two campaigns apart, which have no creative", () => {
    const rowOf = (campaign: string) => ({ campaign, creative: null }) as unknown as Parameters<typeof keyOf>[0];
    expect(keyOf(rowOf("cmp_1"), ["creative"])).not.toBe(keyOf(rowOf("cmp_2"), ["creative"]));
  });
});

it("compares a period with as many days before it", () => {
  expect(periodBefore({ from: "2026-11-01", to: "2026-11-07" })).toEqual({ from: "2026-10-25", days: 7 });
});
