import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "./clock";
import { ReadThrough } from "./read-through";

const FRESH_MS = 10_000;

let clock: ManualClock;
let truth: Map<string, string>;
/** Reads that wait for the test; if empty, every read returns at once. */
let waiting: (() => void)[];
let isSlow: boolean;
let reads: number;
let cache: ReadThrough<string>;

beforeEach(() => {
  clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
  [truth, waiting, isSlow, reads] = [new Map([["a", "first"]]), [], false, 0];
  const read = async (key: string) => {
    reads++;
    const found = truth.get(key);
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
    return found;
  };
  cache = new ReadThrough({ clock, read, freshMs: FRESH_MS, max: 100 });
});

/** Completes the oldest waiting read, and lets its continuations run. */
async function arrive(): Promise<void> {
  waiting.shift()?.();
  await new Promise((resolve) => setImmediate(resolve));
}

describe("what was read", () => {
  it.each(["a", "unknown"])("is valid for ten seconds, counted from before the read (%s)", async (key) => {
    isSlow = true;
    const early = cache.find(key);
    clock.advance(FRESH_MS - 1);
    await arrive();
    expect(await early).toBe(truth.get(key));
    isSlow = false;
    await cache.find(key);
    expect(reads).toBe(1);
    clock.advance(1);
    await cache.find(key);
    expect(reads).toBe(2);
  });

  it("is read once for concurrent callers", async () => {
    await Promise.all(Array.from({ length: 50 }, () => cache.find("a")));
    expect(reads).toBe(1);
  });

  it("is read again at once when it was forgotten, and only it", async () => {
    truth.set("b", "other");
    await Promise.all([cache.find("a"), cache.find("b")]);
    truth.set("a", "second");
    cache.forget("a");
    expect([await cache.find("a"), await cache.find("b")]).toEqual(["second", "other"]);
    expect(reads).toBe(3);
  });

  it("of an unknown key is forgotten as well", async () => {
    await cache.find("late");
    truth.set("late", "here");
    cache.forget("late");
    expect(await cache.find("late")).toBe("here");
  });
});

describe("a read that began before its key was forgotten", () => {
  it("is neither returned nor kept, however often that happens", async () => {
    isSlow = true;
    const early = cache.find("a");
    for (const value of ["second", "third"]) {
      truth.set("a", value);
      cache.forget("a");
      await arrive();
    }
    await arrive();
    expect(await early).toBe("third");
    isSlow = false;
    expect(await cache.find("a")).toBe("third");
    expect(reads).toBe(3);
  });

  it("is not returned to later callers either", async () => {
    isSlow = true;
    const early = cache.find("a");
    truth.delete("a");
    cache.forget("a");
    const late = cache.find("a");
    await arrive();
    await arrive();
    expect(await Promise.all([early, late])).toEqual([undefined, undefined]);
  });
});

it("remembers no failure", async () => {
  const failing = new ReadThrough<string>({
    clock,
    freshMs: FRESH_MS,
    max: 1,
    read: async () => {
      if (reads++ === 0) throw new Error("away");
      return "back";
    },
  });
  await expect(failing.find("a")).rejects.toThrow("away");
  expect(await failing.find("a")).toBe("back");
});

it("keeps real keys while many unknown ones are guessed", async () => {
  await cache.find("a");
  for (let i = 0; i < 1000; i++) await cache.find(`guess ${i}`);
  const before = reads;
  await cache.find("a");
  expect(reads).toBe(before);
});
