const MONTHS_PER_YEAR = 12;

/** A time span; `to` is exclusive. */
export interface Period {
  from: Date;
  to: Date;
}

/** When the invoices of a month are created after its end: what happened in its last minutes is then recorded. */
export const CLOSES_AFTER_MS = 6 * 3600 * 1000;

/** The month of a time in UTC, such as 2026-11. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The first moment of a month and that of the next one, in UTC. */
export const periodOf = (month: string): Period => ({
  from: new Date(`${month}-01T00:00:00Z`),
  to: new Date(`${monthAfter(month)}-01T00:00:00Z`),
});

export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === MONTHS_PER_YEAR ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}

/** The months from `first` on that ended at least 6 hours ago, oldest first. */
export function monthsToClose(first: string, now: Date): string[] {
  const end = monthOf(new Date(now.getTime() - CLOSES_AFTER_MS));
  const months: string[] = [];
  for (let month = first; month < end; month = monthAfter(month)) months.push(month);
  return months;
}
