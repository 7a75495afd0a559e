import { vi } from "vitest";

/** vitest's default is a second, which a busy machine exceeds. */
const WITHIN_MS = 30_000;

/** Calls `check` until it does not throw; fails with its last error after `timeout` ms. Resolves with its result. */
export const waitFor = <T>(
  check: () => T | Promise<T>,
  { timeout = WITHIN_MS, interval = 50 }: { timeout?: number; interval?: number } = {},
): Promise<T> => vi.waitFor(check, { timeout, interval });
