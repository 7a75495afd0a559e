import type { FairSemaphore, Release } from "./fair-semaphore";

export interface PlaceWait {
  /** Of one key. */
  waitingMax: number;
  waitMs: number;
  /** The error if too many wait already, or the turn does not come in time. */
  refusal: () => Error;
}

/** A place of a key, which waits for a limited time. Throws `refusal()`. */
export async function takePlace(places: FairSemaphore, key: string, wait: PlaceWait): Promise<Release> {
  const free = places.tryTake(key);
  if (free) return free;
  if (places.waitingOf(key) >= wait.waitingMax) throw wait.refusal();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(wait.refusal()), wait.waitMs);
  try {
    return await places.take(key, late.signal);
  } finally {
    clearTimeout(timer);
  }
}
