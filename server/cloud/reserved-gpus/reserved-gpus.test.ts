import { describe, expect, it } from "vitest";
import { CapacityCalendar } from "./capacity-calendar";
import { freeForOnDemand, TURNAROUND_MS } from "./free-for-on-demand";
import { usageIn } from "./reservation-usage";
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

describe("the usage of a reservation", () => {
  const reservation = {
    ...{ id: "rsv_1", projectId: "prj_1", gpu: "h100", region: "use", count: 16, status: "active" as const },
    ...{ startsAt: now, endsAt: later(30 * DAY_MS), priceNanosPerHour: 19_840_000_000n },
  };

  it("is every second of the term, used or not, and nothing outside of it", () => {
    const usage = usageIn(reservation, { from: later(-DAY_MS), to: later(365 * DAY_MS) });
    expect(usage).toMatchObject({ from: now, to: reservation.endsAt, seconds: 30 * 86_400, count: 16 });
    expect(usage?.costNanos).toBe(19_840_000_000n * 24n * 30n);
    expect(usageIn(reservation, { from: later(-DAY_MS), to: now })).toBeUndefined();
    expect(usageIn(reservation, { from: reservation.endsAt, to: later(60 * DAY_MS) })).toBeUndefined();
  });

  it("adds up to the term over adjacent periods, wherever they are cut", () => {
    let seconds = 0;
    for (let ms = -1000; ms < 31 * DAY_MS; ms += 7_654_321) {
      seconds += usageIn(reservation, { from: later(ms), to: later(ms + 7_654_321) })?.seconds ?? 0;
    }
    expect(seconds).toBe(30 * 86_400);
  });

  it("is nothing if it was canceled", () => {
    const period = { from: now, to: later(DAY_MS) };
    expect(usageIn({ ...reservation, status: "canceled" }, period)).toBeUndefined();
  });
});
