import { describe, expect, it } from "vitest";
import { type Ending, expectedWait, type WaitInput } from "./expected-wait";

const now = new Date("2026-11-20T09:00:00Z");
const secondsLater = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);

const ending = (seconds: number, devices: number[], given: Partial<Ending> = {}): Ending => ({
  node: "n1",
  devices,
  cpuMilli: 1000,
  memoryMib: 512,
  at: secondsLater(seconds),
  isEnding: true,
  ...given,
});

const facts = (given: Partial<WaitInput>): WaitInput => ({
  now,
  needed: { gpus: 4, cpuMilli: 2000, memoryMib: 1024 },
  endings: [],
  isNext: true,
  waitedSeconds: 100,
  free: [
    { node: "n1", devices: [0], cpuMilli: 1000, memoryMib: 4096 },
    { node: "n2", devices: [], cpuMilli: 90_000, memoryMib: 90_000 },
  ],
  isAllowedAt: () => true,
  position: 1,
  waits: [],
  ends: [],
  ...given,
});

describe("the expected wait", () => {
  it("is until enough pods of one node have ended that have a notice or were stopped", () => {
    const endings = [ending(20, [1, 2]), ending(10, [3]), ending(5, [1, 2, 3, 4], { node: "unknown" })];
    expect(expectedWait(facts({ endings }))).toMatchObject({ seconds: 20, samples: 0 });
    const onTwoNodes = [ending(20, [1, 2]), ending(10, [3], { node: "n2" })];
    expect(expectedWait(facts({ endings: onTwoNodes }))).toBeNull();
  });

  it("counts the cores and the memory that become free, not only the GPUs", () => {
    const endings = [ending(10, [1, 2, 3], { cpuMilli: 0 }), ending(25, [], { cpuMilli: 1000 })];
    expect(expectedWait(facts({ endings }))).toMatchObject({ seconds: 25 });
  });

  it("is not known from ends that others are before it for", () => {
    const endings = [ending(20, [1, 2, 3])];
    expect(expectedWait(facts({ endings, isNext: false, position: 2 }))).toBeNull();
  });

  it("is not known from ends when reservations keep GPUs from it", () => {
    const endings = [ending(20, [1, 2, 3]), ending(40, [4])];
    const isAllowedAt = (at: Date) => at > secondsLater(20);
    expect(expectedWait(facts({ endings, isAllowedAt }))).toMatchObject({ seconds: 40 });
    expect(expectedWait(facts({ endings, isAllowedAt: () => false }))).toBeNull();
  });

  it("is the median of what was left of the waits that were as long, from 3 of them", () => {
    expect(expectedWait(facts({ waits: [10, 99, 100, 110, 150] }))).toBeNull();
    const wait = expectedWait(facts({ waits: [10, 99, 110, 150, 400] }));
    expect(wait).toEqual({ seconds: 50, samples: 3, basis: expect.stringContaining("median of how much longer runs") });
    expect(expectedWait(facts({ waits: [110, 150, 160, 400] }))).toMatchObject({ seconds: 55, samples: 4 });
  });

  it("is else the median time between ends, for each that is before it, from 3 of these", () => {
    const ends = [secondsLater(-10), secondsLater(-100), secondsLater(-20), secondsLater(-50)];
    const wait = expectedWait(facts({ ends, position: 2, isNext: false }));
    expect(wait).toEqual({ seconds: 60, samples: 3, basis: expect.stringContaining("times its position") });
    expect(expectedWait(facts({ ends: ends.slice(1) }))).toBeNull();
  });

  it("is at most until lifetimes and reservations end, and that alone without a history", () => {
    const endings = [ending(70, [1, 2, 3], { isEnding: false })];
    expect(expectedWait(facts({ endings }))).toMatchObject({ seconds: 70, samples: 0 });
    expect(expectedWait(facts({ endings, waits: [500, 600, 700] }))).toMatchObject({ seconds: 70, samples: 0 });
    expect(expectedWait(facts({ endings, waits: [110, 120, 130] }))).toMatchObject({ seconds: 20, samples: 3 });
  });
});
