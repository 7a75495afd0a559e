import { countText } from "../../format/count-text";
import { FieldError } from "../../trpc/failure";
import { numberIn, textIn } from "./read-fields";

const UNIT_SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
type DurationUnit = keyof typeof UNIT_SECONDS;
const UNITS = Object.keys(UNIT_SECONDS) as DurationUnit[];

/** The units of a field whose duration is at most `max` seconds. */
export const unitsUpTo = (max = Number.POSITIVE_INFINITY): DurationUnit[] =>
  UNITS.filter((unit) => UNIT_SECONDS[unit] <= max);

/** A number of seconds as the amount and unit that a form shows: the largest unit that leaves no rest. */
export function amountIn(seconds: number): { amount: number; unit: DurationUnit } {
  const unit = UNITS.findLast((each) => seconds > 0 && seconds % UNIT_SECONDS[each] === 0) ?? "seconds";
  return { amount: seconds / UNIT_SECONDS[unit], unit };
}

/** The seconds of a duration field. Throws a FieldError for what is no whole number of seconds or out of the range. */
export function secondsIn(
  fields: FormData,
  name: string,
  { minimum = 0, maximum = Number.POSITIVE_INFINITY }: { minimum?: number; maximum?: number } = {},
): number {
  const unit = UNITS.find((each) => each === textIn(fields, `${name}_unit`)) ?? "seconds";
  const seconds = numberIn(fields, name) * UNIT_SECONDS[unit];
  if (!Number.isInteger(seconds) || seconds < 0) throw new FieldError(name, "Enter a whole number of seconds or more.");
  if (seconds < minimum) throw new FieldError(name, `Enter at least ${durationText(minimum)}.`);
  if (seconds > maximum) throw new FieldError(name, `Enter at most ${durationText(maximum)}.`);
  return seconds;
}

function durationText(seconds: number): string {
  const { amount, unit } = amountIn(seconds);
  return countText(amount, unit.slice(0, -1));
}
