import { ServiceError } from "../../kernel/errors";
import type { CapsToLookUp, Rate, RateWindow, ReserveCaps, Tally } from "./counters";

/** A rate in whole microseconds, as both engines use it. */
export interface RateUs {
  intervalUs: number;
  burstUs: number;
  costUs: number;
}

/** The rate in microseconds; rejects an invalid rate and a cost that exceeds the burst. */
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
  // Whole microseconds: sums of fractions would drift and reject the last request of a burst.
  const intervalUs = Math.max(1, Math.round(1e6 / perSecond));
  return { intervalUs, burstUs: burst * intervalUs, costUs: cost * intervalUs };
}

/** The storage key of a rate's window; rejects an invalid window. */
export function checkTakeWindow(key: string, { count, windowMs }: RateWindow): string {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError(`count is ${count}; expected a whole number from 1.`);
  checkDuration("windowMs", windowMs);
  return `window:${windowMs}:${key}`;
}

/** The storage key of each tally; rejects invalid additions. */
export function checkCount(tallies: readonly Tally[]): string[] {
  for (const { by, lifeMs } of tallies) {
    if (!Number.isSafeInteger(by) || by < 0) throw new RangeError(`by is ${by}; expected a whole number from 0.`);
    checkDuration("lifeMs", lifeMs);
  }
  return tallies.map(({ key }) => `tally:${key}`);
}

/** The storage key of each window; rejects reservations that the two engines could interpret differently. */
export function checkReserve(request: ReserveCaps): string[] {
  checkDuration("holdMs", request.holdMs);
  return checkLook(request);
}

/** The same for a read that reserves nothing. */
export function checkLook({ user, windows, candidates, wanted }: CapsToLookUp): string[] {
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

/** One storage key per window; the user's length makes it unambiguous and keeps the Redis hash tag from being empty. */
export function capKey(user: string, { key, windowMs }: { key: string; windowMs: number }): string {
  return `cap:{${user.length}:${user}}:${windowMs}:${key}`;
}

/** The error for a cap that cannot be counted, because this engine may lack some of the counts. */
export const countsLost = (): ServiceError =>
  new ServiceError("unavailable", "Frequency caps are being recounted; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "counts_lost" },
  });
