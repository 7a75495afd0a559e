import { daysBefore } from "../../../format/dates";

type Values = Record<string, number>;
export type Point = { x: string } & Record<string, string | number>;

/** The month before a month, such as "2026-10". */
export const monthBefore = (month: string): string => daysBefore(`${month}-01`, 1).slice(0, 7);

/**
 * Every day from the first one with a value until today; days without a row have zeros. Empty if no day has a value.
 */
export function dailyPoints(days: ReadonlyMap<string, Values>, keys: readonly string[], today: string): Point[] {
  const first = [...days.keys()].sort()[0];
  if (first === undefined) return [];
  const count = Math.round((Date.parse(today) - Date.parse(first)) / 86_400_000) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const x = daysBefore(today, count - 1 - i);
    const values = days.get(x);
    return { x, ...Object.fromEntries(keys.map((key) => [key, values?.[key] ?? 0])) };
  });
}
