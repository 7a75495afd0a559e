export const MATCHES = [
  { match: "broad", label: "Broad", hint: "All words, in any order, in any form." },
  { match: "phrase", label: "Phrase", hint: "The words in this order, within the query." },
  { match: "exact", label: "Exact", hint: "The query is exactly this." },
  { match: "negative", label: "Negative", hint: "Never serve if the query contains this." },
] as const;

/** Seconds in each unit that a cap's window can be typed in. */
export const CAP_UNITS = { minute: 60, hour: 3600, day: 86_400 } as const;
export type CapUnit = keyof typeof CAP_UNITS;

/** The largest unit that divides a window, and how many of it. */
export function windowOf(seconds: number): { count: number; unit: CapUnit } {
  if (seconds % CAP_UNITS.day === 0) return { count: seconds / CAP_UNITS.day, unit: "day" };
  if (seconds % CAP_UNITS.hour === 0) return { count: seconds / CAP_UNITS.hour, unit: "hour" };
  return { count: seconds / CAP_UNITS.minute, unit: "minute" };
}
