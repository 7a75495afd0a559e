import { expect, it } from "vitest";
import { isQuiet, periodOf, pointText, startOf } from "./history-view";

it("takes anything unknown in an address for the last hour", () => {
  expect([periodOf(null), periodOf("7y"), periodOf("24h")].map(({ value }) => value)).toEqual(["1h", "1h", "24h"]);
});

it("asks for the same period throughout a minute", () => {
  const at = (time: string) => startOf(periodOf("1h"), new Date(time));
  expect(at("2026-11-20T14:05:01Z")).toBe("2026-11-20T13:05:00.000Z");
  expect(at("2026-11-20T14:05:59Z")).toBe("2026-11-20T13:05:00.000Z");
});

it("names a step by its time in the reader's time zone, and by its day in a longer period", () => {
  expect(pointText("2026-11-20T23:30:00.000Z", periodOf("1h"), "Europe/Berlin")).toBe("00:30");
  expect(pointText("2026-11-20T23:30:00.000Z", periodOf("14d"), "Europe/Berlin")).toBe("21 Nov 00:30");
});

it("is quiet if all figures of all steps are zero", () => {
  const nothing = { sent: 0, received: 0, acknowledged: 0, waiting: 0, delayed: 0, in_flight: 0 };
  const start = "2026-11-20T14:00:00.000Z";
  expect(isQuiet([{ start, ...nothing }])).toBe(true);
  expect(
    isQuiet([
      { start, ...nothing },
      { start, ...nothing, delayed: 1 },
    ]),
  ).toBe(false);
});
