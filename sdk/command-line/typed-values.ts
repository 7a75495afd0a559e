import { readFileSync } from "node:fs";
import { parseAsWritten, WrittenNumber } from "../exact-json";
import type { Field } from "./command";
import { strictText } from "./strict-text";
import { suggestion } from "./suggestion";

/** The parts of a field that a value is checked against. */
type ValueField = Pick<Field, "kind"> & Partial<Field>;

/** Parses a command-line value for the API. @throws Error that says what was expected. */
export function readValue(field: ValueField, given: readonly string[]): unknown {
  const text = given.at(-1) ?? "";
  if (field.nullable && text === "null") return null;
  if (field.kind === "list") {
    const words = given.flatMap(wordsOf);
    return words.map((word) => (field.items ? readValue({ kind: field.items }, [word]) : checkChoice(field, word)));
  }
  if (given.length > 1) throw new Error("it was given more than once.");
  const value = readPlainValue(field, text);
  const isWrong = value === undefined || isOutside(field, value);
  if (isWrong) throw new Error(`it must be ${expectedOf(field)}, not "${text.slice(0, 80)}".`);
  return field.kind === "string" ? checkChoice(field, text) : value;
}

/** What a whole number counts, by the end of its name, in seconds. */
const COUNTED: Readonly<Record<string, number>> = { s: 1, seconds: 1, minutes: 60, hours: 3600, days: 86_400 };
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `5m` as 300 for a field of seconds; undefined for other text, and for what is not a whole number of the unit. */
function readDuration({ name = "" }: ValueField, text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const counted = COUNTED[name.split(/[-_]/).at(-1) ?? ""];
  if (digits === undefined || counted === undefined) return undefined;
  const amount = (Number(digits) * (UNITS[unit] ?? 0)) / counted;
  return Number.isSafeInteger(amount) ? amount : undefined;
}

function readPlainValue(field: ValueField, text: string): unknown {
  const { kind } = field;
  if (kind === "string") return text;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (kind === "integer" || kind === "number") {
    const number = /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const fits = kind === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number);
    return fits ? number : readDuration(field, text);
  }
  if (kind === "text" && !/^\s*[@{]/.test(text)) return text;
  const value = parseJson(text);
  return typeof value === "object" && value !== null && Array.isArray(value) === (kind === "objects")
    ? value
    : undefined;
}

const isOutside = ({ minimum, maximum }: Partial<Field>, value: unknown): boolean =>
  typeof value === "number" && (value < (minimum ?? value) || value > (maximum ?? value));

/** A list in JSON can hold words with commas, spaces around them, or nothing in them. */
const wordsOf = (text: string): string[] => (/^\s*\[/.test(text) ? jsonWordsOf(text) : splitList(text));

function jsonWordsOf(text: string): string[] {
  const words = parseJson(text);
  if (Array.isArray(words) && words.every(isWord)) {
    return words.map(String);
  }
  throw new Error('it must be a JSON list of strings, such as ["a", "b, c"].');
}

const isWord = (word: unknown): boolean =>
  typeof word === "string" || typeof word === "number" || word instanceof WrittenNumber;

const splitList = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

function checkChoice({ values }: Partial<Field>, word: string): string {
  if (!values || values.includes(word)) return word;
  const known = values.map(String);
  throw new Error(
    `it must be ${expectedOf({ kind: "string", values })}, not "${word.slice(0, 80)}"${suggestion(word, known)}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return parseAsWritten(text.startsWith("@") ? strictText(readFileSync(text.slice(1)), text.slice(1)) : text);
  } catch (failure) {
    throw new Error(`it is not valid JSON: ${failure instanceof Error ? failure.message : String(failure)}.`);
  }
}

/** Describes the expected value. */
export function expectedOf({ kind = "string", format, values, minimum, maximum }: Partial<Field>): string {
  const range = [minimum !== undefined && `from ${minimum}`, maximum !== undefined && `to ${maximum}`].filter(Boolean);
  const bounds = range.length > 0 ? ` ${range.join(" ")}` : "";
  const choice = values && values.length > 1 ? `one of ${values.join(", ")}` : values && `"${values[0]}"`;
  const words: Record<Field["kind"], string> = {
    string: choice ?? (format === "date-time" ? "a time such as 2027-01-31T09:00:00Z" : "a string"),
    integer: `a whole number${bounds}`,
    number: `a number${bounds}`,
    boolean: "true or false",
    list: choice ? `a comma-separated list of ${values?.join(", ")}` : "a comma-separated list, or a JSON list",
    object: "a JSON object or @file",
    text: "a JSON object, @file with one, or other text",
    objects: "a JSON list of objects or @file",
  };
  return words[kind];
}
