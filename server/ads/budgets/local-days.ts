import { Zone } from "../reports/local-time";

const HOUR_MS = 3_600_000;

interface LocalDay {
  fromMs: number;
  toMs: number;
}

/** The end of the calendar day of a moment in a time zone, remembered until the day is over; UTC's for an unknown zone. */
export class LocalDays {
  readonly #days = new Map<string, LocalDay>();

  endOf(timezone: string, nowMs: number): number {
    const known = this.#days.get(timezone);
    if (known && nowMs >= known.fromMs && nowMs < known.toMs) return known.toMs;
    const zone = Zone.open(timezone) ?? Zone.open("UTC");
    if (!zone) throw new Error("This Node.js does not know the time zone UTC.");
    const fromMs = zone.startOfDay(zone.dateOf(nowMs));
    // 36 hours on, whatever the clocks do, it is the next day.
    const toMs = zone.startOfDay(zone.dateOf(fromMs + 36 * HOUR_MS));
    this.#days.set(timezone, { fromMs, toMs });
    return toMs;
  }
}
