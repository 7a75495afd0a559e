import { describe, expect, it } from "vitest";
import { FairSemaphore, type Release } from "./fair-semaphore";

const never = new AbortController().signal;

function takeAll(semaphore: FairSemaphore, key: string): Release[] {
  const taken: Release[] = [];
  for (let release = semaphore.tryTake(key); release; release = semaphore.tryTake(key)) taken.push(release);
  return taken;
}

/** What has resolved, in order, once all that could resolve has. */
const whenIdle = () => new Promise((resolve) => setImmediate(resolve));

describe("FairSemaphore", () => {
  it("A takes all that it can get; B and the next ones find places", () => {
    const semaphore = new FairSemaphore(8);
    expect(takeAll(semaphore, "a")).toHaveLength(4);
    expect(takeAll(semaphore, "b")).toHaveLength(2);
    expect(takeAll(semaphore, "c")).toHaveLength(1);
    expect(takeAll(semaphore, "d")).toHaveLength(1);
    expect(semaphore.tryTake("e")).toBeUndefined();
  });

  it("gives a returned place to the key that holds the fewest, then to the one whose turn was longest ago", async () => {
    const semaphore = new FairSemaphore(2);
    const [first] = takeAll(semaphore, "a");
    const second = semaphore.tryTake("b");
    const order: string[] = [];
    for (const key of ["a", "a", "c", "d"]) void semaphore.take(key, never).then(() => order.push(key));
    second?.();
    await whenIdle();
    expect(order).toEqual(["c"]);
    first?.();
    await whenIdle();
    expect(order).toEqual(["c", "d"]);
  });

  it("serves the keys round robin, so that many tasks of one delay only its own", async () => {
    const semaphore = new FairSemaphore(1);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const run = (name: string) =>
      semaphore.run(name[0] ?? "", () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = ["a1", "a2", "a3", "b1", "c1", "b2"].map(run);
    expect([semaphore.waitingOf("a"), semaphore.waitingOf("b"), semaphore.waitingOf("d")]).toEqual([2, 2, 0]);
    for (const _ of all) {
      await whenIdle();
      ends.shift()?.();
    }
    await Promise.all(all);
    expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it("passes on the place of a task that failed", async () => {
    const semaphore = new FairSemaphore(1);
    await expect(semaphore.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await semaphore.run("a", async () => 7)).toBe(7);
  });

  it("gives one key alone the part of the places that `ofFree` says", () => {
    const semaphore = new FairSemaphore(32, 1 / 7);
    expect(takeAll(semaphore, "a")).toHaveLength(4);
    expect(takeAll(semaphore, "b")).toHaveLength(4);
  });

  it("counts a place once, and never one that was only waited for", async () => {
    const semaphore = new FairSemaphore(1);
    const release = semaphore.tryTake("a");
    const leaving = new AbortController();
    const left = semaphore.take("b", leaving.signal);
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    await expect(semaphore.take("b", leaving.signal)).rejects.toThrow("left");
    release?.();
    release?.();
    expect(takeAll(semaphore, "b")).toHaveLength(1);
  });
});
