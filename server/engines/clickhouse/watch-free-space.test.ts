import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { watchFreeSpace } from "./watch-free-space";

const MEGABYTE = 2 ** 20;
const MINUTES = 60_000;
const SAMPLES = 1000;

describe("the watch of the free space", () => {
  let free: number;
  let restarts: number;
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    free = 500 * MEGABYTE;
    restarts = 0;
    stop = watchFreeSpace({
      freeBytes: async () => free,
      restart: async () => void restarts++,
    });
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  const restartsAfter = async (megabytes: number, ms = SAMPLES) => {
    free = megabytes * MEGABYTE;
    await vi.advanceTimersByTimeAsync(ms);
    return restarts;
  };

  test("restarts the engine once after each time that the disk was full", async () => {
    expect(await restartsAfter(0)).toBe(0);
    expect(await restartsAfter(40)).toBe(0);
    expect(await restartsAfter(500)).toBe(1);
    expect(await restartsAfter(500, 10 * MINUTES)).toBe(1);
    await restartsAfter(10);
    expect(await restartsAfter(500)).toBe(2);
  });

  test("leaves it alone while there is little space but enough", async () => {
    expect(await restartsAfter(20, 10 * MINUTES)).toBe(0);
    expect(await restartsAfter(500)).toBe(0);
  });

  test("restarts it after four minutes of a full disk, and then no more until the next full disk", async () => {
    expect(await restartsAfter(0, 3.9 * MINUTES)).toBe(0);
    expect(await restartsAfter(0, 0.2 * MINUTES)).toBe(1);
    expect(await restartsAfter(0, 20 * MINUTES)).toBe(1);
    expect(await restartsAfter(500)).toBe(1);
    await restartsAfter(0);
    expect(await restartsAfter(500)).toBe(2);
  });

  test("ends with its engine", async () => {
    await restartsAfter(0);
    stop();
    expect(await restartsAfter(500)).toBe(0);
  });
});
