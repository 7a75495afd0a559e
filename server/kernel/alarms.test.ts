import { expect, onTestFinished, test, vi } from "vitest";
import { type AlarmSource, Alarms } from "./alarms";
import { ManualClock } from "./clock";
import type { Round } from "./round";

const START = new Date("2026-11-28T12:00:00Z");

/** Rounds on a stopped clock, with due times that the test sets. */
function scene({ isManual = false, safetyNetMs = 3_600_000 } = {}) {
  const clock = new ManualClock(START);
  const due = new Map<string, number>();
  const readDue = vi.fn<AlarmSource["readDue"]>(async (queries) => new Map([...due].filter(([t]) => queries.has(t))));
  const log = { info: vi.fn(), warn: vi.fn() };
  const alarms = new Alarms({ clock, log, isManual, safetyNetMs, source: { readDue, flush: async () => undefined } });
  onTestFinished(() => alarms.stop());
  const add = (topic: string, run: () => unknown = () => undefined, more: Partial<Round> = {}) => {
    const ran = vi.fn(async (_stopping: AbortSignal) => run());
    const running = alarms.add({ topic, purpose: `run ${topic}`, run: ran, ...more });
    return { ran, running };
  };
  return { clock, due, readDue, log, alarms, add };
}

/** The limit is for a node that is busy with other work. */
const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 60_000, interval: 5 });

const turns = async (count = 20) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

test("a round runs once when it is added, and then only when it is woken", async () => {
  const { alarms, add } = scene();
  const { ran } = add("pods", undefined, { wokenBy: ["nodes"] });
  await until(() => ran.mock.calls.length === 1);
  alarms.wake("queues");
  await turns();
  expect(ran).toHaveBeenCalledTimes(1);
  alarms.wake("nodes");
  await until(() => ran.mock.calls.length === 2);
});

test("a hundred wake-ups during a run are one more run", async () => {
  const { alarms, add } = scene();
  let finish = () => {};
  const { ran } = add("pods", () => new Promise<void>((resolve) => (finish = resolve)));
  await until(() => ran.mock.calls.length === 1);
  for (let i = 0; i < 100; i++) alarms.wake("pods");
  finish();
  await until(() => ran.mock.calls.length === 2);
  finish();
  await turns();
  expect(ran).toHaveBeenCalledTimes(2);
});

test("a round that is due runs when the clock says so, also after a jump, and one query reads all due times", async () => {
  const { clock, due, readDue, add } = scene();
  due.set("a", START.getTime() + 3_600_000).set("b", START.getTime() + 7_200_000);
  const [a, b] = [add("a", undefined, { nextDue: "SELECT 1" }), add("b", undefined, { nextDue: "SELECT 2" })];
  await until(() => a.ran.mock.calls.length === 1 && b.ran.mock.calls.length === 1);
  await until(() => readDue.mock.calls.length === 1);
  await turns();
  expect([...(readDue.mock.calls[0]?.[0] ?? [])]).toEqual([
    ["a", "SELECT 1"],
    ["b", "SELECT 2"],
  ]);
  clock.advance(3_599_999);
  await turns();
  expect(a.ran).toHaveBeenCalledTimes(1);
  due.delete("a");
  clock.advance(1);
  await until(() => a.ran.mock.calls.length === 2);
  await turns();
  expect(b.ran).toHaveBeenCalledTimes(1);
});

test("a jump of the clock wakes a round that has no due time", async () => {
  const { clock, add } = scene();
  const { ran } = add("spending");
  await until(() => ran.mock.calls.length === 1);
  clock.advance(1);
  await until(() => ran.mock.calls.length === 2);
});

test("what a run leaves although it is due is not tried again at once", async () => {
  const { due, readDue, add } = scene();
  due.set("a", START.getTime() - 1);
  const { ran } = add("a", undefined, { nextDue: "SELECT 1" });
  await until(() => readDue.mock.calls.length === 1);
  await turns(50);
  expect(ran).toHaveBeenCalledTimes(1);
});

test("a round that has more to do runs again at once", async () => {
  const { add } = scene();
  const left = [true, true, false];
  const { ran } = add("a", () => left.shift());
  await until(() => left.length === 0);
  await turns();
  expect(ran).toHaveBeenCalledTimes(3);
});

test("a failure is logged once, and the round is tried again until it succeeds", async () => {
  const { log, add } = scene();
  const results = [new Error("1"), new Error("2"), undefined];
  const { ran, running } = add("a", () => {
    const result = results.shift();
    if (result) throw result;
  });
  await until(() => ran.mock.calls.length === 1);
  await turns();
  expect(running.isHealthy).toBe(false);
  await until(() => ran.mock.calls.length === 3);
  await turns();
  expect([running.isHealthy, log.warn.mock.calls.length]).toEqual([true, 1]);
  expect(log.info).toHaveBeenCalledWith({ failures: 2 }, "can run a again");
});

test("a round whose due time cannot be read still runs when it is woken", async () => {
  const { alarms, readDue, log, add } = scene();
  readDue.mockRejectedValue(new Error("away"));
  const { ran } = add("a", undefined, { nextDue: "SELECT 1" });
  await until(() => log.warn.mock.calls.length === 1);
  alarms.wake("a");
  await until(() => ran.mock.calls.length === 2);
});

test("a round gathers what wakes it, but settling does not wait for that", async () => {
  const { alarms, add } = scene();
  const { ran } = add("a", undefined, { gatherMs: 3_600_000 });
  await until(() => ran.mock.calls.length === 1);
  alarms.wake("a");
  alarms.wake("a");
  await turns();
  expect(ran).toHaveBeenCalledTimes(1);
  await alarms.settle();
  expect(ran).toHaveBeenCalledTimes(2);
});

test("the safety net finds what a lost wake-up has left, and leaves a round alone that waits for its time", async () => {
  const { due, readDue, add } = scene({ safetyNetMs: 20 });
  const plain = add("plain");
  const idle = add("idle", undefined, { everyMs: () => undefined });
  const periodic = add("periodic", undefined, { everyMs: 3_600_000 });
  const timed = add("timed", undefined, { nextDue: "SELECT 1" });
  const counts = () => [plain, idle, timed].map(({ ran }) => ran.mock.calls.length);
  await until(() => (counts()[0] ?? 0) >= 3 && (counts()[1] ?? 0) >= 3);
  expect([timed.ran.mock.calls.length, periodic.ran.mock.calls.length]).toEqual([1, 1]);
  // The last of three runs is in the twentieth look, and each look reads due times.
  expect(readDue.mock.calls.length).toBeGreaterThan(10);
  due.set("timed", START.getTime());
  await until(() => timed.ran.mock.calls.length === 2);
});

test("the safety net asks whether wake-ups arrive, also if no round has a due time", async () => {
  const { readDue, add } = scene({ safetyNetMs: 20 });
  add("plain");
  await until(() => readDue.mock.calls.length >= 3);
  expect(readDue.mock.calls[0]).toEqual([new Map()]);
});

test("while a read of due times is under way, no other one begins and the clock does not spin", async () => {
  const { alarms, readDue, add } = scene();
  let answer = () => {};
  readDue.mockImplementationOnce(() => new Promise((resolve) => (answer = () => resolve(new Map()))));
  const { ran } = add("a", undefined, { nextDue: "SELECT 1" });
  await until(() => readDue.mock.calls.length === 1);
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(now.mock.calls.length).toBeLessThan(20);
  alarms.wake("a");
  await until(() => ran.mock.calls.length === 2);
  expect(readDue).toHaveBeenCalledTimes(1);
  answer();
  await until(() => readDue.mock.calls.length === 2);
});

test("a pause is kept for as long as there is one", async () => {
  const { add } = scene();
  const pauses = [1, 1, undefined];
  const { ran } = add("a", undefined, { everyMs: () => pauses.shift() });
  await until(() => pauses.length === 0);
  await turns();
  expect(ran).toHaveBeenCalledTimes(3);
});

test("manual rounds run in settle alone, which follows what they wake and what they begin", async () => {
  const { alarms, clock, due, add } = scene({ isManual: true });
  const order: string[] = [];
  let begun: Promise<void> | undefined;
  const first = () => {
    order.push("a");
    begun = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => alarms.wake("b"));
  };
  add("a", first, { idle: async () => begun, nextDue: "SELECT 1" });
  add("b", () => order.push("b"));
  await turns();
  expect(order).toEqual([]);
  await alarms.settle();
  expect(order).toEqual(["a", "b", "b"]);
  due.set("a", START.getTime() + 1000);
  await alarms.settle();
  expect(order).toEqual(["a", "b", "b"]);
  alarms.wake("a");
  await alarms.settle();
  clock.advance(1000);
  due.delete("a");
  await alarms.settle();
  expect(order.filter((topic) => topic === "a")).toHaveLength(3);
});

test("settle fails with the failure of a manual round, and with rounds that do not come to rest", async () => {
  const { alarms, add } = scene({ isManual: true });
  const { running } = add("broken", () => {
    throw new Error("it broke");
  });
  await expect(alarms.settle()).rejects.toThrow("it broke");
  await running.stop();
  add("ping", () => alarms.wake("pong"));
  add("pong", () => alarms.wake("ping"));
  await expect(alarms.settle()).rejects.toThrow(/do not come to rest: p[io]ng/);
});

test("a round that is stopped is signalled, awaited, and does not run again", async () => {
  const { alarms, add } = scene();
  let finish = () => {};
  const { ran, running } = add("a", () => new Promise<boolean>((resolve) => (finish = () => resolve(true))));
  await until(() => ran.mock.calls.length === 1);
  const stopped = vi.fn();
  const stopping = running.stop().then(stopped);
  expect(ran.mock.calls[0]?.[0]?.aborted).toBe(true);
  await turns();
  expect(stopped).not.toHaveBeenCalled();
  finish();
  await stopping;
  alarms.wake("a");
  await turns();
  expect(ran).toHaveBeenCalledTimes(1);
});

test("a second round of a topic is an error", () => {
  const { add } = scene();
  add("a");
  expect(() => add("a")).toThrow("two rounds of the topic a");
});
