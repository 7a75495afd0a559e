/** When a dated sale applies, as ISO 8601 in UTC; null does not limit it. */
export interface SalePeriod {
  startsAt: string | null;
  endsAt: string | null;
}

const TEXT_LENGTH_MAX = 100;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const LAST_MS_OF_DAY = 24 * 60 * 60 * 1000 - 1;

/**
 * Parses an ISO 8601 interval `start/end`, such as `2026-11-20T08:00-0500/2026-11-27T23:59-0500`. A time without a zone
 * is UTC, a date alone is the whole day, and one of the two may be missing. Returns "unreadable" for anything else, and
 * "reversed" if the end is before the start.
 */
export function parseSalePeriod(text: string): SalePeriod | "reversed" | "unreadable" {
  if (text.length > TEXT_LENGTH_MAX) return "unreadable";
  const parts = text.split("/").map((part) => part.trim());
  const [start = "", end = ""] = parts;
  const startMs = start === "" ? undefined : momentOf(start, 0);
  const endMs = end === "" ? undefined : momentOf(end, LAST_MS_OF_DAY);
  const isOpen = startMs === undefined && endMs === undefined;
  if (parts.length !== 2 || isOpen || Number.isNaN(startMs) || Number.isNaN(endMs)) return "unreadable";
  if (startMs !== undefined && endMs !== undefined && endMs < startMs) return "reversed";
  return { startsAt: isoOf(startMs), endsAt: isoOf(endMs) };
}

/** NaN for what is not a date; 30 February is none. */
function momentOf(text: string, addedToDateMs: number): number {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (day === undefined || Number(day) > lastDay) return Number.NaN;
  if (!text.includes("T")) return Date.parse(text) + addedToDateMs;
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}

const isoOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());
