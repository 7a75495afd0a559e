import { describe, expect, it } from "vitest";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { ManualClock } from "../../server/kernel/clock";
import { countersContract } from "./counters";

const START = new Date("2026-11-20T12:00:00Z");

async function inProcess() {
  const clock = new ManualClock(START);
  const counters = new MemoryCounters(clock);
  return {
    counters,
    other: counters,
    slackMs: 0,
    pass: async (ms: number) => clock.advance(ms),
    close: () => counters.close(),
  };
}

countersContract("in process", inProcess, { hasRealClock: false });

describe("counters: in process, alone", () => {
  it("does not keep what has expired: 50,000 short-lived keys leave no trace", async () => {
    const clock = new ManualClock(START);
    const counters = new MemoryCounters(clock);
    let most = 0;
    for (let i = 0; i < 50_000; i++) {
      await counters.take(`key-${i}`, { perSecond: 10, burst: 1 });
      const windows = [{ key: "campaign", count: 1, windowMs: 1000 }];
      const request = { user: `user-${i}`, windows, wanted: 1, holdMs: 100 };
      await counters.reserve({ ...request, candidates: [{ id: "offer", windows: [0] }] });
      clock.advance(1);
      most = Math.max(most, counters.size);
    }
    // 100 buckets and 100 reservations live at any time; the sweep may lag by a fraction of that.
    expect(most).toBeLessThan(400);
    await counters.close();
    expect(counters.size).toBe(0);
  });

  it("makes nobody wait longer than one burst after the clock went back an hour", async () => {
    const clock = new ManualClock(START);
    const counters = new MemoryCounters(clock);
    const rate = { perSecond: 1, burst: 5 };
    await counters.take("key", rate, 5);
    clock.advance(-3_600_000);
    expect((await counters.take("key", rate)).retryAfterMs).toBe(1000);
  });

  it("holds the rate over a long time: in any t seconds at most burst + t * perSecond pass", async () => {
    const clock = new ManualClock(START);
    const counters = new MemoryCounters(clock);
    const rate = { perSecond: 10, burst: 400 };
    let passed = 0;
    for (let ms = 0; ms <= 60_000; ms += 5) {
      if ((await counters.take("key", rate)).allowed) passed++;
      clock.advance(5);
    }
    expect(passed).toBe(400 + 600);
  });
});
