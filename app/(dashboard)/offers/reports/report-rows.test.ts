import { describe, expect, it } from "vitest";
import { reportCsv } from "./report-csv";
import { rowsBefore, sortRows } from "./report-rows";
import { choiceOf, type Report, type ReportRow } from "./report-view";

const SUMS = {
  requests: 0,
  filled: 0,
  fill_rate: null,
  served: 0,
  impressions: 0,
  viewable_rate: null,
  clicks: 0,
  invalid_impressions: 0,
  invalid_clicks: 0,
  ctr: null,
  spend_micros: 0,
  earnings_micros: 0,
  conversions: 0,
  conversion_value_micros: 0,
  unverified_conversions: 0,
  unverified_conversion_value_micros: 0,
};

const row = (values: Partial<ReportRow>): ReportRow => ({ ...SUMS, ...values });
const nameOf = (of: ReportRow): string => of.channel ?? of.day ?? "";
const choice = (query: string) => choiceOf(new URLSearchParams(query));

describe("the rows of a report", () => {
  const rows = [
    row({ channel: "b", impressions: 5, clicks: 0 }),
    row({ channel: "a", impressions: 9, clicks: 3, spend_micros: 3_000_000 }),
    row({ channel: "C", impressions: 7, clicks: 1, spend_micros: 9_000_000 }),
  ];
  const order = (query: string) => sortRows(rows, choice(query), nameOf).map(({ channel }) => channel);

  it("are sorted by what is plotted, or by any column", () => {
    expect(order("group_by=channel")).toEqual(["a", "C", "b"]);
    expect(order("group_by=channel&sort=impressions")).toEqual(["b", "C", "a"]);
    expect(order("group_by=channel&sort=name")).toEqual(["a", "b", "C"]);
    expect(order("group_by=channel&sort=-name")).toEqual(["C", "b", "a"]);
  });

  it("without a value come last in both orders", () => {
    expect(order("group_by=channel&sort=ecpc")).toEqual(["a", "C", "b"]);
    expect(order("group_by=channel&sort=-ecpc")).toEqual(["C", "a", "b"]);
  });

  it("stay in the order of time until they are sorted", () => {
    const days = [row({ day: "2026-11-09", clicks: 1 }), row({ day: "2026-11-10", clicks: 5 })];
    const daysBy = (query: string) => sortRows(days, choice(query), nameOf).map(({ day }) => day);
    expect(daysBy("group_by=day")).toEqual(["2026-11-09", "2026-11-10"]);
    expect(daysBy("group_by=day&sort=-name")).toEqual(["2026-11-10", "2026-11-09"]);
    expect(daysBy("group_by=day&sort=-clicks")).toEqual(["2026-11-10", "2026-11-09"]);
  });
});

describe("a comparison", () => {
  const report = (rows: ReportRow[]) => ({ rows }) as Report;

  it("matches rows by their groups, and days by their place in the period", () => {
    const before = report([row({ day: "2026-11-02", device: "mobile", clicks: 4 })]);
    const of = rowsBefore(before, ["day", "device"], 7);
    expect(of?.(row({ day: "2026-11-09", device: "mobile" }))?.clicks).toBe(4);
    expect(of?.(row({ day: "2026-11-09", device: "desktop" }))).toBeUndefined();
    expect(of?.(row({ day: "2026-11-02", device: "mobile" }))).toBeUndefined();
  });

  it("has no rows by hour", () => expect(rowsBefore(report([]), ["hour"], 7)).toBeUndefined());
});

describe("a report as CSV", () => {
  it("has names beside ids, money in units, the currency, and nothing that a spreadsheet runs", () => {
    const { groups, columns } = choice("group_by=day,channel&columns=clicks,ctr,spend_micros,rpm");
    const rows = [row({ day: "2026-11-09", channel: "chn_1", clicks: 2, ctr: 0.25, spend_micros: 1_250_000 })];
    const called = () => '=SUM("a,b")';
    expect(reportCsv({ rows, groups, columns, currency: "EUR", nameOf: called }).split("\r\n")).toEqual([
      "Day,Channel,Channel ID,Clicks,Click rate,RPM,Spend,Currency",
      `2026-11-09,"'=SUM(""a,b"")",chn_1,2,0.25,,1.25,EUR`,
      "",
    ]);
  });
});
