import { dayIn } from "../ranking/spend";

/** Every offset of a time zone in use is a whole number of these, so a day never begins within one. */
const SLOT_MS = 15 * 60 * 1000;

/** The day, as YYYY-MM-DD, of a moment in a time zone; moments of one quarter of an hour share the calculation. */
export function spendDays(): (timezone: string, at: number) => string {
  const days = new Map<string, string>();
  return (timezone, at) => {
    const slot = `${timezone} ${Math.floor(at / SLOT_MS)}`;
    const day = days.get(slot) ?? dayIn(timezone, new Date(at));
    days.set(slot, day);
    return day;
  };
}
