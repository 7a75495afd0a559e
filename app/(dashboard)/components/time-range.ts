import type { Filter } from "./filters";

const HOUR_MS = 3_600_000;

/** Times that end now. */
const RANGES = [
  { value: "1h", label: "1 hour", ms: HOUR_MS },
  { value: "24h", label: "24 hours", ms: 24 * HOUR_MS },
  { value: "7d", label: "7 days", ms: 7 * 24 * HOUR_MS },
] as const;

/** Limits a log, which is kept for 30 days, to what is newer. */
export const rangeFilter = (label: string): Filter => ({ name: "range", label, all: "30 days", choices: RANGES });

/** When the range of an address began, as ISO 8601; undefined for all. */
export function startOfRange(params: Pick<URLSearchParams, "get">, now: Date): string | undefined {
  const ms = RANGES.find(({ value }) => value === params.get("range"))?.ms;
  return ms === undefined ? undefined : new Date(now.getTime() - ms).toISOString();
}
