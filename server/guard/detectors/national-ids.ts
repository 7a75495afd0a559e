import { hasMyNumberDigit } from "./checksums";
import { contextWords, hasContext } from "./context";
import { type DigitGroups, shapeOf } from "./digit-groups";
import { MY_NUMBER, SSN } from "./personal-data";
import type { Confidence, Match, Window } from "./rule";

const HYPHEN = 0x2d;
const SPACE = 0x20;
const SSN_CONTEXT = contextWords(["ssn", "social security", "social_security", "socialsecurity", "tax id", "taxpayer"]);
/** Numbers that were printed in advertisements, which the Social Security Administration does not accept. */
const ADVERTISED = new Set(["078051120", "219099999"]);
/** The usual example. */
const EXAMPLE_SSN = "123456789";
/** The last two are 個人番号 and マイナンバー in Shift JIS. */
const MY_NUMBER_CONTEXT = contextWords(
  [
    "マイナンバー",
    "個人番号",
    "my number",
    "mynumber",
    "my_number",
    "my-number",
    "individual number",
    "individual_number",
    "kojin",
  ],
  ["8cc2906c94d48d86", "837d834383698393836f815b"],
);

/** US Social Security numbers: with hyphens, or beside a word that names them. */
export function socialSecurityNumberIn(window: Window, digits: DigitGroups): Match | undefined {
  const shape = shapeOf(digits);
  const isWritten = shape === "3-2-4" && digits.separator === HYPHEN;
  if (!isWritten && shape !== "9" && !(shape === "3-2-4" && digits.separator === SPACE)) return undefined;
  const number = digits.groups.join("");
  if (!isAssignable(number)) return undefined;
  const hasWord = hasContext(window, digits.start, SSN_CONTEXT);
  if (!isWritten && !hasWord) return undefined;
  const confidence: Confidence = number === EXAMPLE_SSN ? "low" : hasWord ? "high" : "medium";
  return { rule: SSN, start: digits.start, end: digits.end, confidence };
}

/** The areas 000, 666 and 900 to 999, the group 00 and the serial number 0000 are never assigned. */
const isAssignable = (number: string): boolean =>
  !/^(?:000|666|9)|^\d{3}00|0000$/.test(number) && !/^(\d)\1+$/.test(number) && !ADVERTISED.has(number);

/** Japanese My Numbers: 12 digits with a check digit, beside a word that names them, since one of 11 numbers fits. */
export function myNumberIn(window: Window, digits: DigitGroups): Match | undefined {
  const shape = shapeOf(digits);
  if (shape !== "12" && shape !== "4-4-4") return undefined;
  const number = digits.groups.join("");
  if (/^(\d)\1+$/.test(number) || !hasMyNumberDigit(number)) return undefined;
  if (!hasContext(window, digits.start, MY_NUMBER_CONTEXT)) return undefined;
  return { rule: MY_NUMBER, start: digits.start, end: digits.end, confidence: "high" };
}
