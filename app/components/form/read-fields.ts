import { parseMicros } from "../../format/money";
import { FieldError } from "../../trpc/failure";

/** The trimmed text of a field; empty when it is absent. */
export function textIn(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** The text exactly as typed: passwords may begin or end with a space. */
export function rawTextIn(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}

/** One entry per line or between commas; empty lines are ignored. */
export const linesIn = (fields: FormData, name: string): string[] =>
  textIn(fields, name)
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** The chosen one of a closed set. Throws a FieldError for anything else. */
export function choiceIn<const T extends string>(fields: FormData, name: string, choices: readonly T[]): T {
  const text = textIn(fields, name);
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new FieldError(name, `Choose one of ${choices.join(", ")}.`);
  return choice;
}

/** Every checked value of boxes that share a name and come from a closed set. */
export const choicesIn = <T extends string>(fields: FormData, name: string, choices: readonly T[]): T[] => {
  const checked = new Set(fields.getAll(name));
  return choices.filter((choice) => checked.has(choice));
};

/** Money typed as a decimal, in micros. Throws a FieldError when it is none. */
export function microsIn(fields: FormData, name: string): number {
  const micros = parseMicros(textIn(fields, name));
  if (micros === undefined) throw new FieldError(name, "Enter an amount such as 1.25, with at most 6 decimals.");
  return micros;
}

export const microsOrNullIn = (fields: FormData, name: string): number | null =>
  textIn(fields, name) === "" ? null : microsIn(fields, name);

/** A decimal number. Throws a FieldError when the text is none. */
export function numberIn(fields: FormData, name: string): number {
  const text = textIn(fields, name);
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) throw new FieldError(name, "Enter a number such as 12 or 4.5.");
  return number;
}

export const numberOrNullIn = (fields: FormData, name: string): number | null =>
  textIn(fields, name) === "" ? null : numberIn(fields, name);
