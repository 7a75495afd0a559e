import { randomBytes } from "node:crypto";
import { ExactNumber } from "./exact-number";
import { isRewritten, markNumbers } from "./mark-numbers";

/** No text from outside begins with it. */
const MARK = `\0${randomBytes(9).toString("hex")}:`;
const MARK_IN_JSON = JSON.stringify(MARK).slice(0, -1);
const MARKED_NUMBER = new RegExp(`${MARK_IN_JSON.replaceAll("\\", "\\\\")}(-?\\d[\\d.eE+-]*)"`, "g");

/**
 * Parses JSON that is passed on: numbers that JSON.stringify would write in another way, such as 9007199254740993 and
 * 1.0, become marks from which `relayedText` writes them as they were; `numberOf` reads them. Throws SyntaxError.
 */
export function relayedJson(text: string): unknown {
  return JSON.parse(withMarks(text));
}

/** The JSON of a value, with the numbers of `relayedJson` as they were. */
export function relayedText(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  const text = JSON.stringify(value, replacer);
  return text?.includes(MARK_IN_JSON) ? text.replace(MARKED_NUMBER, "$1") : text;
}

/** A number, also one that `relayedJson` has marked; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return isMark(value) ? Number(value.slice(MARK.length)) : undefined;
}

/** The value with marks as numbers, as JSON.parse returns them; the same value if it has none. */
export function withNumbers<T>(value: T): T {
  return replaced(value, (one) => (isMark(one) ? numberOf(one) : one)) as T;
}

/** The value, which was parsed from the same JSON and may lack parts of it, with marks in place of its numbers. */
export function withMarksOf<T>(value: T, json: string): T {
  const marked = withMarks(json);
  return (marked === json ? value : marksOver(value, JSON.parse(marked))) as T;
}

/** The value with marks in place of each ExactNumber, which other surfaces than the REST API have. */
export const withMarksOfExact = <T>(value: T): T =>
  replaced(value, (one) => (one instanceof ExactNumber ? MARK + one.text : one)) as T;

const isMark = (value: unknown): value is string => typeof value === "string" && value.startsWith(MARK);

function marksOver(value: unknown, exact: unknown): unknown {
  if (isMark(exact)) return typeof value === "string" ? value : exact;
  if (typeof value !== "object" || value === null || typeof exact !== "object" || exact === null) return value;
  if (Array.isArray(value)) return changed(value, (one, at) => marksOver(one, (exact as unknown[])[at]));
  return changed(value, (one, name) => marksOver(one, (exact as Record<string, unknown>)[name]));
}

function replaced(value: unknown, replace: (one: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return replace(value);
  return changed(value, (one) => replaced(one, replace));
}

/** A copy of a list or an object whose members are replaced; the same one if none changes. */
function changed(value: object, replace: (one: unknown, at: never) => unknown): unknown {
  let copy: Record<string | number, unknown> | undefined;
  const names = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const name of names) {
    const one = (value as Record<string | number, unknown>)[name];
    const next = replace(one, name as never);
    if (next === one) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
    copy[name] = next;
  }
  return copy ?? value;
}

const withMarks = (json: string): string => markNumbers(json, { mark: MARK_IN_JSON, isKept: isRewritten });
