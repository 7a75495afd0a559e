import { describe, expect, it } from "vitest";
import { FairSemaphore, type Release } from "./fair-semaphore";

const never = new AbortController().signal;

function takeAll(semaphore: FairSemaphore, key: string): Release[] {
  const taken: Release[] = [];
  for (let release = semaphore.tryTake(key); release; release = semaphore.tryTake(key)) taken.push(release);
  return taken;
}

/** What has resolved, in order, once all that could resolve has. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("FairSemaphore", () => {
  it("A takes all that it can get; B and the next ones find places", () => {
    const semaphore = new FairSemaphore(8);
    expect(takeAll(semaphore, "a")).toHaveLength(4);
    expect(takeAll(semaphore, "b")).toHaveLength(2);
    expect(takeAll(semaphore, "c")).toHaveLength(1);
    expect(takeAll(semaphore, "d")).toHaveLength(1);
    expect(semaphore.tryTake("e")).toBeUndefined();
  });

  it("gives a returned place to the key that holds the fewest, however long others have waited", async () => {
    const semaphore = new FairSemaphore(2);
    const [first] = takeAll(semaphore, "a");
    const second = semaphore.tryTake("b");
    const order: string[] = [];
    for (const key of ["a", "a", "c", "d"]) void semaphore.take(key, never).then(() => order.push(key));
    second?.();
    await settled();
    expect(order).toEqual(["c"]);
    first?.();
    await settled();
    expect(order).toEqual(["c", "a"]);
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
