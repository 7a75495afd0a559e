import { randomBytes } from "node:crypto";
import { ExactNumber } from "./exact-number";

/** No text from outside begins with it. */
const MARK = `\0${randomBytes(9).toString("hex")}:`;
const MARK_IN_JSON = JSON.stringify(MARK).slice(0, -1);
const MARKED_NUMBER = new RegExp(`${MARK_IN_JSON.replaceAll("\\", "\\\\")}(-?\\d[\\d.eE+-]*)"`, "g");
/** Shorter integers are written as they were. */
const INTEGER_CHARACTERS_MAX = 15;

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

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];

/** The text with a mark in place of each number that needs one. */
function withMarks(text: string): string {
  const parts: string[] = [];
  let [copied, at] = [0, 0];
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = afterString(text, at);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = afterNumber(text, at);
      const number = text.slice(at, end);
      if (!isWrittenAs(number)) {
        parts.push(text.slice(copied, at), `${MARK_IN_JSON}${number}"`);
        copied = end;
      }
      at = end;
    } else at++;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(copied);
}

function afterString(text: string, begin: number): number {
  for (let at = text.indexOf('"', begin + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

function afterNumber(text: string, begin: number): number {
  let at = begin + 1;
  while (at < text.length && "0123456789.eE+-".includes(text.charAt(at))) at++;
  return at;
}

/** Whether JSON.stringify writes the number with these characters. */
const isWrittenAs = (number: string): boolean =>
  (number.length <= INTEGER_CHARACTERS_MAX && /^(?:0|-?[1-9]\d*)$/.test(number)) || String(Number(number)) === number;
