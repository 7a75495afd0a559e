const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** From `startMs` on, local time is UTC plus `offsetMinutes`. */
export interface OffsetSpan {
  startMs: number;
  offsetMinutes: number;
}

/** A time zone of the IANA database, as supported by this Node.js. */
export class Zone {
  readonly #format: Intl.DateTimeFormat;

  private constructor(format: Intl.DateTimeFormat) {
    this.#format = format;
  }

  /** Returns undefined for anything that is not an IANA name, including a bare offset such as `+02:00`. */
  static open(name: string): Zone | undefined {
    if (!/^[A-Za-z]/.test(name)) return undefined;
    try {
      return new Zone(new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" }));
    } catch {
      return undefined;
    }
  }

  /** How many minutes local time is ahead of UTC at a given time. */
  offsetMinutes(ms: number): number {
    const text = this.#format.formatToParts(ms).find((part) => part.type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
    return sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  }

  /** The local date at a given time, such as `2026-11-20`. */
  dateOf(ms: number): string {
    return new Date(ms + this.offsetMinutes(ms) * MINUTE_MS).toISOString().slice(0, 10);
  }

  /** The start of a local date. A day may begin at 01:00, and midnight may occur twice. */
  startOfDay(date: string): number {
    const utc = Date.parse(`${date}T00:00:00Z`);
    const candidates = [utc - DAY_MS, utc + DAY_MS]
      .map((near) => utc - this.offsetMinutes(near) * MINUTE_MS)
      .sort((a, b) => a - b);
    return candidates.find((ms) => this.dateOf(ms) === date) ?? Math.max(...candidates);
  }

  /** The offsets between two times, oldest first. Offsets change at most once per day. */
  offsetsBetween(fromMs: number, toMs: number): OffsetSpan[] {
    const spans = [{ startMs: fromMs, offsetMinutes: this.offsetMinutes(fromMs) }];
    for (let at = fromMs, before = this.offsetMinutes(fromMs); at < toMs; at += DAY_MS) {
      const after = this.offsetMinutes(at + DAY_MS);
      if (after !== before) spans.push({ startMs: this.#changeBetween(at, at + DAY_MS), offsetMinutes: after });
      before = after;
    }
    return spans;
  }

  #changeBetween(fromMs: number, toMs: number): number {
    const before = this.offsetMinutes(fromMs);
    let [low, high] = [fromMs, toMs];
    while (high - low > MINUTE_MS) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
      if (this.offsetMinutes(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }
}

/** Formats an offset as in ISO 8601, such as `+05:30`. */
export function offsetText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
