import { describe, expect, it } from "vitest";
import { CapacityCalendar } from "./capacity-calendar";
import { freeForOnDemand, TURNAROUND_MS } from "./free-for-on-demand";
import { isUsableBy } from "./reserved-devices";

const DAY_MS = 24 * 3600 * 1000;
const now = new Date("2026-11-26T12:00:00.000Z");
const later = (ms: number) => new Date(now.getTime() + ms);

describe("a reserved device", () => {
  const user = (spot: boolean, reservationId: string | null = null) => ({ spot, reservationId });
  const active = { reservationId: "a", isActive: true, isAwaited: false };
  const scheduled = { ...active, isActive: false };

  it("is used by pods of its reservation, and lent to spot pods only", () => {
    expect(isUsableBy(active, user(false, "a"))).toBe(true);
    expect(isUsableBy(active, user(false, "b"))).toBe(false);
    expect(isUsableBy(active, user(false))).toBe(false);
    expect(isUsableBy(active, user(true))).toBe(true);
  });

  it("is not lent while a pod of its reservation waits for GPUs", () => {
    const awaited = { ...active, isAwaited: true };
    expect([isUsableBy(awaited, user(true)), isUsableBy(awaited, user(false, "a"))]).toEqual([false, true]);
  });

  it("is used by nothing before the start, and others are not used by pods of a reservation", () => {
    for (const spot of [true, false]) expect(isUsableBy(scheduled, user(spot))).toBe(false);
    expect(isUsableBy(scheduled, user(false, "a"))).toBe(false);
    expect(isUsableBy(undefined, user(false, "a"))).toBe(false);
    expect(isUsableBy(undefined, user(false))).toBe(true);
  });
});

describe("on-demand pods", () => {
  const from = later(10 * DAY_MS).getTime();
  const calendar = new CapacityCalendar(64, [{ from, to: from + 30 * DAY_MS, count: 60 }]);

  it("have what no reservation needs until the end of their lifetime and the minute after it", () => {
    expect(freeForOnDemand(calendar, now, 30)).toBe(4);
    expect(freeForOnDemand(calendar, now, 9)).toBe(64);
    expect(freeForOnDemand(calendar, now, 10)).toBe(4);
    expect(freeForOnDemand(calendar, now, 10 - TURNAROUND_MS / DAY_MS)).toBe(64);
  });

  it("have nothing, and not less, where nodes were lost", () => {
    calendar.add({ from: now.getTime(), to: from + DAY_MS, count: 16 });
    expect(freeForOnDemand(calendar, now, 30)).toBe(0);
  });
});
