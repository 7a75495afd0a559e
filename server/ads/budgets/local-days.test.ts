import { expect, test } from "vitest";
import { LocalDays } from "./local-days";

test.each([
  ["Europe/Berlin", "2026-03-28T22:59:59.999Z", "2026-03-28"],
  // The clocks go forward on the 29th, which is 23 hours long.
  ["Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29"],
  ["Europe/Berlin", "2026-03-29T21:59:59.999Z", "2026-03-29"],
  ["Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30"],
  ["Asia/Kathmandu", "2026-11-20T18:14:59Z", "2026-11-20"],
  ["Asia/Kathmandu", "2026-11-20T18:15:00Z", "2026-11-21"],
  ["America/New_York", "2026-11-20T04:59:59Z", "2026-11-19"],
  ["Nowhere/Atall", "2026-11-20T23:59:59Z", "2026-11-20"],
])("in %s, %s belongs to %s, whichever days were requested before", (timezone, at, day) => {
  const days = new LocalDays();
  for (const hours of [0, -1, 30, 0, 1, -30, 0]) {
    const moment = Date.parse(at) + hours * 3_600_000;
    const { day: found, fromMs, toMs } = days.of(timezone, moment);
    expect(moment >= fromMs && moment < toMs).toBe(true);
    if (hours === 0) expect(found).toBe(day);
  }
});
