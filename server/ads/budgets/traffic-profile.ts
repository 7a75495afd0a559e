const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A base count per hour in addition to the counted requests, because a short history is not reliable. */
const PRIOR_REQUESTS_PER_HOUR = 50;

/**
 * How a day's traffic is distributed over the hours of the UTC day. Time is measured in hours, so days of 23 or 25
 * hours work.
 */
export class TrafficProfile {
  static readonly uniform = new TrafficProfile([]);

  /** The share of a day before each hour; the last is 1. */
  readonly #before = new Float64Array(25);

  /**
   * `requests` by UTC hour, 0 to 23. Counts are shrunk towards an even spread (Laplace); without counts the spread is
   * even.
   */
  constructor(requests: readonly number[]) {
    for (let hour = 0; hour < 24; hour++)
      this.#before[hour + 1] = (this.#before[hour] as number) + (requests[hour] ?? 0) + PRIOR_REQUESTS_PER_HOUR;
    const sum = this.#before[24] as number;
    for (let hour = 1; hour <= 24; hour++) this.#before[hour] = (this.#before[hour] as number) / sum;
  }

  /** The traffic expected between two times, in days: 1 for any 24 hours, 0 if `toMs` is not later. */
  daysBetween(fromMs: number, toMs: number): number {
    return toMs > fromMs ? this.#daysUntil(toMs) - this.#daysUntil(fromMs) : 0;
  }

  #daysUntil(ms: number): number {
    const days = Math.floor(ms / DAY_MS);
    const hours = (ms - days * DAY_MS) / HOUR_MS;
    const hour = Math.min(23, Math.floor(hours));
    const [low, high] = [this.#before[hour] as number, this.#before[hour + 1] as number];
    return days + low + (high - low) * (hours - hour);
  }
}
