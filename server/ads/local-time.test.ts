import { describe, expect, test } from "vitest";
import { offsetText, Zone } from "./local-time";

function zone(name: string): Zone {
  const opened = Zone.open(name);
  if (!opened) throw new Error(`${name} is unknown`);
  return opened;
}

test.each(["Mars/Phobos", "+02:00", "", "UTC+2", "Europe/Berlin; DROP TABLE x"])("%j is no time zone", (name) => {
  expect(Zone.open(name)).toBeUndefined();
});

describe("a local day starts", () => {
  test.each([
    { how: "at 00:00 UTC", name: "UTC", date: "2026-11-20", start: "2026-11-20T00:00Z" },
    { how: "half an hour off", name: "Asia/Kolkata", date: "2026-11-20", start: "2026-11-19T18:30Z" },
    { how: "three quarters of an hour off", name: "Asia/Kathmandu", date: "2026-11-20", start: "2026-11-19T18:15Z" },
    { how: "on the day that has 25 hours", name: "America/New_York", date: "2026-11-01", start: "2026-11-01T04:00Z" },
    { how: "on the day after it", name: "America/New_York", date: "2026-11-02", start: "2026-11-02T05:00Z" },
    {
      how: "at 01:00 where midnight is skipped",
      name: "America/Sao_Paulo",
      date: "2018-11-04",
      start: "2018-11-04T03:00Z",
    },
    { how: "at the first of two midnights", name: "America/Havana", date: "2026-11-01", start: "2026-11-01T04:00Z" },
    {
      how: "at the next moment if the day was skipped",
      name: "Pacific/Apia",
      date: "2011-12-30",
      start: "2011-12-30T10:00Z",
    },
  ])("$how", ({ name, date, start }) => {
    expect(new Date(zone(name).startOfDay(date)).toISOString()).toBe(new Date(start).toISOString());
  });
});

test("finds every offset change of a year to the minute", () => {
  const [from, to] = [Date.parse("2026-01-01T00:00Z"), Date.parse("2027-01-01T00:00Z")];
  const spans = (name: string) =>
    zone(name)
      .offsetsBetween(from, to)
      .map(({ startMs, offsetMinutes }) => [new Date(startMs).toISOString().slice(0, 16), offsetText(offsetMinutes)]);
  expect(spans("Asia/Kolkata")).toEqual([["2026-01-01T00:00", "+05:30"]]);
  expect(spans("America/New_York")).toEqual([
    ["2026-01-01T00:00", "-05:00"],
    ["2026-03-08T07:00", "-04:00"],
    ["2026-11-01T06:00", "-05:00"],
  ]);
  expect(spans("Australia/Lord_Howe")).toEqual([
    ["2026-01-01T00:00", "+11:00"],
    ["2026-04-04T15:00", "+10:30"],
    ["2026-10-03T15:30", "+11:00"],
  ]);
});
