import { expect, onTestFinished, test, vi } from "vitest";
import { withTimeout } from "./with-timeout";

const never = new Promise<never>(() => undefined);

test("work that ends in time returns its result or its failure, and leaves no timer", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  expect(await withTimeout(50, Promise.resolve(7))).toBe(7);
  await expect(withTimeout(50, Promise.reject(new Error("its own")))).rejects.toThrow("its own");
  expect(vi.getTimerCount()).toBe(0);
});

test("work that takes longer is unavailable, or fails with the caller's error", async () => {
  await expect(withTimeout(1, never)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
  await expect(withTimeout(1, never, () => new Error("too late"))).rejects.toThrow("too late");
});
