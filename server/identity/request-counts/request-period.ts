import { z } from "zod";
import { ServiceError } from "../../kernel/errors";

/** Milliseconds since 1970 at the start of an hour or day of UTC; `toMs` is exclusive. */
export interface RequestPeriod {
  fromMs: number;
  toMs: number;
  intervalMs: number;
}

interface AskedPeriod {
  from?: string | undefined;
  to?: string | undefined;
  interval: "hour" | "day";
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The period by default, and the longest one. */
const INTERVALS = {
  hour: { ms: HOUR_MS, count: 48, daysMax: 31 },
  day: { ms: DAY_MS, count: 30, daysMax: 400 },
} as const;
/** The range of ClickHouse's 32-bit times. */
const EARLIEST_MS = Date.UTC(1971, 0);
const LATEST_MS = Date.UTC(2105, 0);

const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/**
 * The period widened to whole hours or days of UTC. `to` defaults to now; without `from` the period is the last 48
 * hours or 30 days, including the one of `to`. Throws `invalid_request` with `param` for a time that does not parse, an
 * empty period, and one of more than 31 days by hour or 400 by day.
 */
export function requestPeriodOf({ from, to, interval }: AskedPeriod, now: Date): RequestPeriod {
  const { ms, count, daysMax } = INTERVALS[interval];
  const toMs = Math.ceil((to === undefined ? now.getTime() : momentOf("to", to)) / ms) * ms;
  const fromMs = from === undefined ? toMs - count * ms : Math.floor(momentOf("from", from) / ms) * ms;
  if (fromMs >= toMs) throw invalid("from", "`from` must be before `to`; without `to` the period ends now.");
  if (toMs - fromMs > daysMax * DAY_MS) {
    const by = interval === "hour" ? " by hour" : "";
    throw invalid("from", `The history${by} covers at most ${daysMax} days; move \`from\` closer to \`to\`.`);
  }
  return { fromMs, toMs, intervalMs: ms };
}

function momentOf(param: "from" | "to", text: string): number {
  const ms = Moment.safeParse(text).success ? Date.parse(text) : Number.NaN;
  if (ms >= EARLIEST_MS && ms <= LATEST_MS) return ms;
  throw invalid(param, `\`${param}\` must be a date like 2026-11-20, or a date-time with an offset or Z.`);
}

const invalid = (param: string, sentence: string): ServiceError =>
  new ServiceError("invalid_request", sentence, { param });
