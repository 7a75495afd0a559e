import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Repeating, repeat } from "./repeat";

const silent = pino({ level: "silent" });

/** A loop whose pauses end when the test ends them. */
function loopOf(round: () => Promise<unknown>, { atOnce = false } = {}) {
  const pauses: number[] = [];
  let end = () => {};
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      pauses.push(ms);
      end = resolve;
      signal.addEventListener("abort", () => resolve());
    });
  const log = { info: vi.fn(), warn: vi.fn() };
  const loop: Repeating = repeat({ everyMs: 100, log: { ...silent, ...log }, purpose: "count" }, round, {
    atOnce,
    wait,
  });
  onTestFinished(() => loop.stop());
  const next = async () => {
    const before = pauses.length;
    end();
    await expect.poll(() => pauses.length).toBeGreaterThan(before);
  };
  return { loop, pauses, log, next };
}

test("a round follows each pause, and none comes before the first", async () => {
  const round = vi.fn(async () => undefined);
  const { pauses, next } = loopOf(round);
  expect([pauses, round.mock.calls.length]).toEqual([[100], 0]);
  await next();
  await next();
  expect([pauses, round.mock.calls.length]).toEqual([[100, 100, 100], 2]);
});

test("a round that has more to do is followed by the next at once", async () => {
  const left = [true, true, false];
  const round = vi.fn(async () => left.shift());
  const { pauses } = loopOf(round, { atOnce: true });
  await expect.poll(() => pauses).toEqual([100]);
  expect(round).toHaveBeenCalledTimes(3);
});

test("failures are logged when they begin and when they end, and lengthen the pause", async () => {
  const results = [new Error("1"), new Error("2"), undefined];
  const { loop, pauses, log, next } = loopOf(async () => {
    const result = results.shift();
    if (result) throw result;
  });
  await next();
  expect(loop.isHealthy).toBe(false);
  await next();
  expect([log.warn.mock.calls.length, log.info.mock.calls.length]).toEqual([1, 0]);
  expect(pauses.slice(1).every((ms) => ms > 100 && ms <= 1600)).toBe(true);
  await next();
  expect(loop.isHealthy).toBe(true);
  expect(log.info).toHaveBeenCalledWith({ failures: 2 }, "can count again");
});

test("stop waits for the running round, signals it, and starts no other", async () => {
  let finish = () => {};
  let stopping: AbortSignal | undefined;
  const round = vi.fn((signal: AbortSignal) => {
    stopping = signal;
    return new Promise<boolean>((resolve) => {
      finish = () => resolve(true);
    });
  });
  const loop = repeat({ everyMs: 1, log: silent, purpose: "count" }, round, { atOnce: true });
  const order: string[] = [];
  const stopped = loop.stop().then(() => order.push("stopped"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopping?.aborted).toBe(true);
  order.push("round");
  finish();
  await stopped;
  await loop.ended;
  expect(order).toEqual(["round", "stopped"]);
  expect(round).toHaveBeenCalledTimes(1);
});

test("stop ends a pause", async () => {
  const loop = repeat({ everyMs: 3_600_000, log: silent, purpose: "count" }, async () => undefined);
  await loop.stop();
});
