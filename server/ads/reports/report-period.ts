import { ServiceError } from "../../kernel/errors";
import type { Zone } from "../local-time";

/** Milliseconds since 1970 on 15-minute boundaries; `toMs` is exclusive. */
export interface ReportPeriod {
  fromMs: number;
  toMs: number;
}

interface AskedPeriod {
  from: string | undefined;
  to: string | undefined;
  byHour: boolean;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const SLOT_MS = 15 * 60 * 1000;
const DAYS_DEFAULT = 7;
const DAYS_MAX = 400;
const DAYS_MAX_BY_HOUR = 31;
/** The range of the rollup's 32-bit times. */
const EARLIEST_MS = Date.UTC(1971, 0);
const LATEST_MS = Date.UTC(2105, 0);

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The period of a report, widened to whole 15-minute slots. A date means the start of that day in the time zone. `to`
 * defaults to now; without `from` the period covers seven local days, including the day of `to`. Throws
 * `invalid_request` for a time that does not parse, an empty period, and a period that is too long.
 */
export function periodOf({ from, to, byHour }: AskedPeriod, zone: Zone, now: Date): ReportPeriod {
  const toMs = ceilSlot(to === undefined ? now.getTime() : momentOf("to", to, zone));
  const fromMs = floorSlot(from === undefined ? defaultFrom(toMs, zone) : momentOf("from", from, zone));
  if (fromMs >= toMs) throw invalid("from", "`from` must be before `to`; without `to` the report ends now.");
  const daysMax = byHour ? DAYS_MAX_BY_HOUR : DAYS_MAX;
  // A local day can be longer than 24 h, and both ends may have been widened.
  if (toMs - fromMs > daysMax * DAY_MS + 2 * HOUR_MS) {
    throw invalid(
      "from",
      `A report${byHour ? " by hour" : ""} covers at most ${daysMax} days; move \`from\` closer to \`to\`.`,
    );
  }
  return { fromMs, toMs };
}

function momentOf(param: "from" | "to", text: string, zone: Zone): number {
  const ms = DATE.test(text) ? startOf(text, zone) : DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (ms >= EARLIEST_MS && ms <= LATEST_MS) return ms;
  throw invalid(param, `\`${param}\` must be a date like 2026-11-20, or a date-time with an offset or Z.`);
}

function startOf(date: string, zone: Zone): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // Date.parse accepts 30 February as 1 March.
  if (!(utc >= EARLIEST_MS) || new Date(utc).toISOString().slice(0, 10) !== date) return Number.NaN;
  return zone.startOfDay(date);
}

function defaultFrom(toMs: number, zone: Zone): number {
  const lastDate = Date.parse(`${zone.dateOf(toMs - 1)}T00:00:00Z`);
  return zone.startOfDay(new Date(lastDate - (DAYS_DEFAULT - 1) * DAY_MS).toISOString().slice(0, 10));
}

const floorSlot = (ms: number): number => Math.floor(ms / SLOT_MS) * SLOT_MS;
const ceilSlot = (ms: number): number => Math.ceil(ms / SLOT_MS) * SLOT_MS;

const invalid = (param: string, sentence: string): ServiceError =>
  new ServiceError("invalid_request", sentence, { param });
