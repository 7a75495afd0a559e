const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A part of a window, in whole hours of UTC. */
export interface Span {
  fromMs: number;
  /** Exclusive; infinite for the part that is still growing. */
  toMs: number;
}

interface CachedSpan<T> {
  span: Span;
  part: T;
}

/**
 * The last days in three parts: whole days before yesterday, whole hours before the last one, and the rest. Only the
 * rest is read each time; the hours are read again each hour and the days each day, so late events appear with that
 * delay.
 */
export class RollingWindow<T> {
  readonly #days: number;
  readonly #read: (span: Span) => Promise<T>;
  #cached: readonly CachedSpan<T>[] = [];

  constructor(days: number, read: (span: Span) => Promise<T>) {
    this.#days = days;
    this.#read = read;
  }

  /**
   * The parts of the window that ends at `now`, oldest first; it begins at a UTC midnight, at least `days` days ago.
   */
  async parts(now: Date): Promise<T[]> {
    const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
    const today = Math.floor(hour / DAY_MS) * DAY_MS;
    const ends = [today - this.#days * DAY_MS, today - DAY_MS, hour - HOUR_MS] as const;
    const spans = [
      { fromMs: ends[0], toMs: ends[1] },
      { fromMs: ends[1], toMs: ends[2] },
    ];
    const cached: CachedSpan<T>[] = [];
    for (const span of spans) cached.push({ span, part: this.#known(span) ?? (await this.#read(span)) });
    const latest = await this.#read({ fromMs: ends[2], toMs: Number.POSITIVE_INFINITY });
    this.#cached = cached;
    return [...cached.map(({ part }) => part), latest];
  }

  #known({ fromMs, toMs }: Span): T | undefined {
    return this.#cached.find(({ span }) => span.fromMs === fromMs && span.toMs === toMs)?.part;
  }
}
