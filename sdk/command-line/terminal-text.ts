import { stringifyJson } from "../exact-json";

/** Characters that terminals interpret: control characters and bidirectional controls. */
const CONTROL_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const NARROW = /\p{M}|\p{Default_Ignorable_Code_Point}/u;

/** A value as one line; untrusted text must not control the terminal. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = typeof value === "object" ? stringifyJson(value) : String(value);
  return text.replaceAll(CONTROL_CHARACTERS, " ");
}

/** The width of a text in terminal columns. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + characterWidth(character), 0);

const characterWidth = (character: string): number => (NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** A text padded or cut (with an ellipsis) to an exact width; unchanged for an infinite width. */
export function fitText(text: string, width: number): string {
  const own = widthOf(text);
  if (width === Number.POSITIVE_INFINITY) return text;
  if (own <= width) return text + " ".repeat(width - own);
  let kept = "";
  let used = 0;
  for (const character of text) {
    if (used + characterWidth(character) > width - 1) break;
    kept += character;
    used += characterWidth(character);
  }
  return `${kept}…${" ".repeat(Math.max(0, width - used - 1))}`;
}

/** Wraps words into lines of at most `width` columns. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Untrusted text of several lines: line feeds and tabs are kept, what else controls a terminal is removed. */
export const printableText = (text: string): string =>
  text.replaceAll(CONTROL_CHARACTERS, (one) => (one === "\n" || one === "\t" ? one : ""));
