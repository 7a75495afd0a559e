/** What terminals take as orders: control characters and those that turn the direction of writing. */
const ORDERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const NARROW = /\p{M}|\p{Default_Ignorable_Code_Point}/u;

/** A value on one line of a terminal; what somebody else wrote must not steer it. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replaceAll(ORDERS, " ");
}

/** Columns of a terminal that a text takes. */
export const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + widthOfLetter(letter), 0);

const widthOfLetter = (letter: string): number => (NARROW.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1);

/** A text in exactly so many columns, with an ellipsis where it was cut; in its own where there is no end to them. */
export function fitted(text: string, width: number): string {
  const own = widthOf(text);
  if (width === Number.POSITIVE_INFINITY) return text;
  if (own <= width) return text + " ".repeat(width - own);
  let kept = "";
  let used = 0;
  for (const letter of text) {
    if (used + widthOfLetter(letter) > width - 1) break;
    kept += letter;
    used += widthOfLetter(letter);
  }
  return `${kept}…${" ".repeat(Math.max(0, width - used - 1))}`;
}

/** Words in lines of at most so many columns. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
