import { vi } from "vitest";

/** vitest's default is a second, which a busy machine exceeds. */
const WITHIN_MS = 30_000;

/** Calls `check` until it does not throw; fails with its last error after `timeout` ms. Resolves with its result. */
export const waitFor = <T>(
  check: () => T | Promise<T>,
  { timeout = WITHIN_MS, interval = 50 }: { timeout?: number; interval?: number } = {},
): Promise<T> => vi.waitFor(check, { timeout, interval });

const DAY_MS = 86_400_000;

/** Waits for the next day (UTC) if it begins within `withinMs`: figures of today would begin at 0 in the middle of a test. */
export async function awayFromMidnight(withinMs: number): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs <= withinMs) await new Promise((resolve) => setTimeout(resolve, leftMs));
}
