import { IS_DIGIT, IS_WORD, isIn, latin1 } from "./byte-classes";
import { contextWords, hasContext } from "./context";
import { type DigitGroups, shapeOf } from "./digit-groups";
import { PHONE } from "./personal-data";
import type { Confidence, Match, Window } from "./rule";

const PLUS = 0x2b;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const SPACE = 0x20;
/** What is before a number that is not part of an expression. */
const BEFORE = new Set(Buffer.from(" \t\r\n\"'`,:;>=[|"));
const CONTEXT = contextWords(["phone", "tel", "mobile", "cell", "fax", "contact", "call", "電話", "携帯", "連絡先"]);
/** The countries' codes of ITU-T E.164. */
const COUNTRY =
  /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-689]\d|3[578]\d|42[0-3]|50\d|59\d|67\d|68\d|69[0-2]|85[0235-6]|88[06]|96\d|97\d|99[2-68])/;
const WRITTEN = /^\+[1-9]\d{0,3}(?:[ .()/-]{0,2}\d{1,12}){1,6}/;
const BYTES_MAX = 28;
const NANP = /^[2-9]\d\d[2-9]\d{6}$/;
/** Kept free for films and books. */
const FICTIONAL = /^\d{3}55501\d\d$/;

/** An international number, `start` being the first digit behind its plus sign. */
export function internationalNumberAt(window: Window, start: number): Match | undefined {
  const { bytes } = window;
  if (bytes[start - 1] !== PLUS || bytes[start] === 0x30 || isIn(IS_WORD, bytes, start - 2)) return undefined;
  const [text] = WRITTEN.exec(latin1(bytes, start - 1, start - 1 + BYTES_MAX)) ?? [];
  if (text === undefined) return undefined;
  const end = start - 1 + text.length;
  const digits = text.replace(/\D/g, "");
  if (isIn(IS_WORD, bytes, end) || (bytes[end] === DOT && isIn(IS_DIGIT, bytes, end + 1))) return undefined;
  if (!COUNTRY.test(digits) || digits.length > 15 || digits.length < 9) return undefined;
  if (digits.startsWith("1") && !isAmerican(digits.slice(1))) return undefined;
  if (digits.startsWith("81") && !/^81\d{9,10}$/.test(digits)) return undefined;
  const isGrouped = text.length > digits.length + 1;
  const hasWord = hasContext(window, start - 1, CONTEXT);
  if (!isGrouped && !hasWord && (digits.length < 11 || !BEFORE.has(bytes[start - 2] ?? SPACE))) return undefined;
  return match({ start: start - 1, end }, isGrouped || hasWord ? "high" : "medium");
}

/** A Japanese or North American number without the code of its country. */
export function domesticNumberIn(window: Window, digits: DigitGroups): Match | undefined {
  const { bytes } = window;
  if (bytes[digits.start - 1] === PLUS) return areaInParentheses(bytes, digits);
  const [number, shape] = [digits.groups.join(""), shapeOf(digits)];
  if (isSeries(number)) return undefined;
  if (digits.separator === 0 && /^0[789]0\d{8}$|^0[1-9]\d{8}$/.test(number)) {
    return hasContext(window, digits.start, CONTEXT) ? match(digits, "medium") : undefined;
  }
  if (digits.separator === HYPHEN && isJapanese(number, shape)) return match(digits, "high");
  const isGrouped = shape === "3-3-4" && (digits.separator === HYPHEN || digits.separator === DOT);
  if (isGrouped && isAmerican(number)) return match(digits, "medium");
  return areaInParentheses(bytes, digits);
}

/** `(212) 555-4567`, `digits` being what follows the parentheses. */
function areaInParentheses(bytes: Buffer, digits: DigitGroups): Match | undefined {
  if (shapeOf(digits) !== "3-4" || isIn(IS_WORD, bytes, digits.end)) return undefined;
  const before = latin1(bytes, Math.max(0, digits.start - 6), digits.start);
  const [area] = /\([2-9]\d\d\) ?$/.exec(before) ?? [];
  if (area === undefined || !isAmerican(area.slice(1, 4) + digits.groups.join(""))) return undefined;
  return match({ start: digits.start - area.length, end: digits.end }, "high");
}

const isAmerican = (number: string): boolean => NANP.test(number) && !FICTIONAL.test(number);

/** One digit again and again, or digits in their order. */
const isSeries = (number: string): boolean => /(\d)\1{6}/.test(number) || "01234567890123456789".includes(number);

/** Mobile numbers, and those of places, which have ten digits. */
const isJapanese = (number: string, shape: string): boolean =>
  shape === "3-4-4" ? /^0[5789]0/.test(number) : /^0[1-9]/.test(number) && /^(?:2-4-4|3-3-4|4-2-4|5-1-4)$/.test(shape);

const match = ({ start, end }: { start: number; end: number }, confidence: Confidence): Match => ({
  rule: PHONE,
  start,
  end,
  confidence,
});
