const DAY_MS = 86_400_000;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", DAY_MS],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** The browser's time zone. */
export const browserTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The calendar day of a moment in a time zone, as YYYY-MM-DD. */
export const dayOf = (at: Date, timezone: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: timezone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    at,
  );

/** `days` before a calendar day, as a calendar day. */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

/** "20 Nov 2026, 14:05" in the reader's own time zone. */
export const formatDateTime = (iso: string | Date): string =>
  new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** "20 Nov 2026, 14:05:09" in the reader's own time zone: for logs in which several entries have one minute. */
export const formatDateTimeSeconds = (iso: string): string =>
  new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** "3 hours ago", "in 2 days", "now". */
export function formatRelativeTime(iso: string | Date, now = new Date()): string {
  const ms = new Date(iso).getTime() - now.getTime();
  const [unit, size] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ["minute", Number.POSITIVE_INFINITY];
  return Number.isFinite(size) ? relative.format(Math.round(ms / size), unit) : "just now";
}

/** When a key was last used, as a sentence for the dialog that revokes it. */
export const lastUsedText = (iso: string | null): string =>
  iso === null ? "It was never used." : `It was last used ${formatRelativeTime(iso)}.`;

/** A moment as the value of a `datetime-local` field, in the reader's own time zone. */
export function toDateTimeLocal(iso: string | null | undefined): string {
  if (!iso) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** "2026-11-20" as "20 Nov". */
export const formatDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** "2026-11" as "November 2026". */
export const formatMonth = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** "14:05" of a moment in a time zone. */
export const formatTime = (iso: string, timezone: string): string =>
  new Date(iso).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: timezone });
