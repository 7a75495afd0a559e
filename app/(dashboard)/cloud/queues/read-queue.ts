import { numberIn, textIn } from "../../../components/form/read-fields";
import { FieldError } from "../../../trpc/failure";

const UNIT_SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
export type DurationUnit = keyof typeof UNIT_SECONDS;

/** A number of seconds as the amount and unit that a form shows: the largest of the units that leaves no rest. */
export function amountIn(seconds: number, units: readonly DurationUnit[]): { amount: number; unit: DurationUnit } {
  const unit = units.toReversed().find((each) => seconds > 0 && seconds % UNIT_SECONDS[each] === 0) ?? "seconds";
  return { amount: seconds / UNIT_SECONDS[unit], unit };
}

interface DurationRange {
  units: readonly DurationUnit[];
  max: number;
  /** The longest duration as people read it. */
  maxText: string;
}

export const VISIBILITY_TIMEOUT: DurationRange = {
  units: ["seconds", "minutes", "hours"],
  max: 43_200,
  maxText: "12 hours",
};
export const RETENTION: DurationRange = { units: ["minutes", "hours", "days"], max: 1_209_600, maxText: "14 days" };

/** The seconds of a duration field. Throws a FieldError for what is no whole number of seconds or too long. */
export function secondsIn(fields: FormData, name: string, { units, max, maxText }: DurationRange): number {
  const unit = units.find((each) => each === textIn(fields, `${name}_unit`)) ?? units[0];
  const seconds = numberIn(fields, name) * UNIT_SECONDS[unit ?? "seconds"];
  if (!Number.isInteger(seconds) || seconds < 0) throw new FieldError(name, "Enter a whole number of seconds or more.");
  if (seconds > max) throw new FieldError(name, `Enter at most ${maxText}.`);
  return seconds;
}

/** What both forms send. */
export const queueIn = (fields: FormData) => ({
  name: textIn(fields, "name"),
  visibility_timeout_s: secondsIn(fields, "visibility_timeout_s", VISIBILITY_TIMEOUT),
  retention_s: secondsIn(fields, "retention_s", RETENTION),
  max_receives: numberIn(fields, "max_receives"),
});
