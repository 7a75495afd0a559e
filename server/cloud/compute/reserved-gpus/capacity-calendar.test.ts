import { describe, expect, it } from "vitest";
import { type Block, CapacityCalendar } from "./capacity-calendar";

const CAPACITY = 8;
const END = 60;

/** Numbers from 0 to below `max` that are the same in every run. */
function randomNumbers(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

/** What is free at every whole time, counted one by one. */
const freeByCounting = (blocks: readonly Block[], at: number): number =>
  blocks.reduce((free, { from, to, count }) => (from <= at && at < to ? free - count : free), CAPACITY);
const leastByCounting = (blocks: readonly Block[], from: number, to: number): number =>
  Math.min(...Array.from({ length: to - from }, (_, i) => freeByCounting(blocks, from + i)));

function earliestByCounting(blocks: readonly Block[], count: number, duration: number): number | undefined {
  for (let start = 0; start <= END; start++)
    if (leastByCounting(blocks, start, start + duration) >= count) return start;
  return undefined;
}

describe("a calendar of capacity", () => {
  it("agrees with counting for random blocks, cancellations and lost nodes, and never admits a double booking", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomNumbers(seed);
      const calendar = new CapacityCalendar(CAPACITY);
      let blocks: Block[] = [];
      for (let step = 0; step < 60; step++) {
        const from = random(END);
        const block = { from, to: from + 1 + random(20), count: 1 + random(4) };
        const kind = random(10);
        const canceled = blocks[random(blocks.length)];
        if (kind < 2 && canceled) {
          calendar.remove(canceled);
          blocks = blocks.filter((other) => other !== canceled);
        } else if (kind < 3 || calendar.minFree(block.from, block.to) >= block.count) {
          // The first kind is a lost node, which does not ask.
          if (kind >= 3) expect(leastByCounting(blocks, block.from, block.to)).toBeGreaterThanOrEqual(block.count);
          calendar.add(block);
          blocks.push(block);
        } else expect(leastByCounting(blocks, block.from, block.to)).toBeLessThan(block.count);
        const [count, durationMs] = [1 + random(CAPACITY), 1 + random(15)];
        expect(calendar.earliestStart({ count, durationMs, notBefore: 0, notAfter: END })).toBe(
          earliestByCounting(blocks, count, durationMs),
        );
      }
      for (const { at, free } of calendar.steps(0, END)) expect(free).toBe(freeByCounting(blocks, at));
    }
  });

  it("lets a block begin at the moment at which another one ends", () => {
    const calendar = new CapacityCalendar(8, [{ from: 10, to: 20, count: 8 }]);
    expect([calendar.minFree(0, 10), calendar.minFree(19, 25), calendar.minFree(20, 30)]).toEqual([8, 0, 8]);
    expect(calendar.earliestStart({ count: 8, durationMs: 10, notBefore: 5, notAfter: 100 })).toBe(20);
    expect(calendar.earliestStart({ count: 8, durationMs: 10, notBefore: 5, notAfter: 19 })).toBeUndefined();
    expect(calendar.steps(5, 30)).toEqual([
      { at: 5, free: 8 },
      { at: 10, free: 0 },
      { at: 20, free: 8 },
    ]);
  });
});
