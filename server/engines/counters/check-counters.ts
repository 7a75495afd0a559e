import { ServiceError } from "../../kernel/errors";
import type { LookCaps, Rate, RateWindow, ReserveCaps } from "./counters";

/** A rate in whole microseconds, as both engines compute with it. */
export interface RateUs {
  intervalUs: number;
  burstUs: number;
  costUs: number;
}

/** The rate in microseconds; refuses a rate that means nothing and a cost that could never pass. */
export function checkTake({ perSecond, burst }: Rate, cost: number): RateUs {
  if (!(perSecond > 0 && perSecond <= 1e6)) {
    throw new RangeError(`perSecond is ${perSecond}; expected more than 0 and at most 1,000,000.`);
  }
  if (!Number.isSafeInteger(burst) || burst < 1) {
    throw new RangeError(`burst is ${burst}; expected a whole number from 1.`);
  }
  if (!Number.isSafeInteger(cost) || cost < 0) throw new RangeError(`cost is ${cost}; expected a whole number from 0.`);
  if (cost > burst) {
    const sentence = `This call counts as ${cost} requests, but at most ${burst} may pass at once; send smaller batches.`;
    throw new ServiceError("invalid_request", sentence, { details: { reason: "cost_above_burst", cost, burst } });
  }
  // Whole microseconds: sums of fractions would drift and refuse the last request of a burst.
  const intervalUs = Math.max(1, Math.round(1e6 / perSecond));
  return { intervalUs, burstUs: burst * intervalUs, costUs: cost * intervalUs };
}

/** The storage key of a rate's window; refuses a window that means nothing. */
export function checkTakeWindow(key: string, { count, windowMs }: RateWindow): string {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError(`count is ${count}; expected a whole number from 1.`);
  checkDuration("windowMs", windowMs);
  return `window:${windowMs}:${key}`;
}

/** The storage key of each window; refuses reservations that the two engines could understand differently. */
export function checkReserve(request: ReserveCaps): string[] {
  checkDuration("holdMs", request.holdMs);
  return checkLook(request);
}

/** The same for a question that holds nothing. */
export function checkLook({ user, windows, candidates, wanted }: LookCaps): string[] {
  if (user === "") throw new RangeError("user is empty; a user without an id has no caps.");
  if (!Number.isSafeInteger(wanted) || wanted < 0)
    throw new RangeError(`wanted is ${wanted}; expected a whole number.`);
  for (const { count, windowMs } of windows) {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`count is ${count}; expected a whole number.`);
    checkDuration("windowMs", windowMs);
  }
  for (const { windows: indexes } of candidates) {
    for (const index of indexes) {
      if (windows[index] === undefined) throw new RangeError(`A candidate names window ${index}, which is not given.`);
    }
  }
  return windows.map((window) => capKey(user, window));
}

function checkDuration(name: string, ms: number): void {
  if (!Number.isSafeInteger(ms) || ms < 1)
    throw new RangeError(`${name} is ${ms}; expected whole milliseconds from 1.`);
}

/** One storage key a window; the user's length makes it unambiguous and keeps the Redis hash tag from being empty. */
export function capKey(user: string, { key, windowMs }: { key: string; windowMs: number }): string {
  return `cap:{${user.length}:${user}}:${windowMs}:${key}`;
}

/** The refusal of a cap that cannot be counted: places may be taken of which this engine knows nothing. */
export const countsLost = (): ServiceError =>
  new ServiceError("unavailable", "Frequency caps are being counted anew; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "counts_lost" },
  });
