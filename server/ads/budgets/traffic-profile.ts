const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What every hour is taken to have had besides what was counted: little history says little. */
const PRIOR_REQUESTS_PER_HOUR = 50;

/** How a day's traffic spreads over the hours of the UTC day; an hour's length counts, so days of 23 or 25 hours work. */
export class TrafficProfile {
  static readonly uniform = new TrafficProfile([]);

  /** The share of a day before each hour; the last is 1. */
  readonly #before = new Float64Array(25);

  /** `requests` by UTC hour, 0 to 23; counts are drawn towards an even spread (Laplace), none at all give just that. */
  constructor(requests: readonly number[]) {
    for (let hour = 0; hour < 24; hour++)
      this.#before[hour + 1] = (this.#before[hour] as number) + (requests[hour] ?? 0) + PRIOR_REQUESTS_PER_HOUR;
    const sum = this.#before[24] as number;
    for (let hour = 1; hour <= 24; hour++) this.#before[hour] = (this.#before[hour] as number) / sum;
  }

  /** The traffic expected between two moments, in days' worth: 1 for any 24 hours, 0 when `toMs` is not later. */
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
