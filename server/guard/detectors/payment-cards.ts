import { hasLuhnDigit } from "./checksums";
import { contextWords, hasContext } from "./context";
import type { DigitGroups } from "./digit-groups";
import { CARD } from "./personal-data";
import type { Match, Window } from "./rule";

const CONTEXT = contextWords([
  "card",
  "credit",
  "debit",
  "visa",
  "mastercard",
  "amex",
  "payment",
  "カード",
  "クレジット",
]);
/** Written in groups, as on the card. */
const SHAPES = [
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 4, 3],
];
const DOT = 0x2e;
/** Numbers that payment processors publish for tests. */
const FOR_TESTS = new Set(
  (
    "4111111111111111 4242424242424242 4012888888881881 4000056655665556 4000000000000002 4000000000000077 4917610000000000 4222222222222 " +
    "5555555555554444 5105105105105100 5200828282828210 2223003122003222 2222405343248877 2223000048400011 378282246310005 371449635398431 " +
    "378734493671000 6011111111111117 6011000990139424 30569309025904 38520000023237 3056930009020004 36227206271667 3530111333300000 3566002020360505 6200000000000005"
  ).split(" "),
);

/** Payment card numbers: a length and a range of an issuer, and the Luhn digit. */
export function cardsIn(window: Window, digits: DigitGroups): Match[] {
  if (digits.separator === DOT) return [];
  const { groups, starts } = digits;
  const found: Match[] = [];
  for (let i = 0; i < groups.length; i++) {
    const taken = groupsOfCard(groups, i);
    if (taken === 0) continue;
    const number = groups.slice(i, i + taken).join("");
    const [start = 0, last = 0] = [starts[i], starts[i + taken - 1]];
    const end = last + (groups[i + taken - 1]?.length ?? 0);
    if (!isIssued(number) || !hasLuhnDigit(number)) continue;
    const hasWord = hasContext(window, start, CONTEXT);
    // Barcodes and other ids are as long; those of Diners Club begin with digits that many numbers have.
    if (taken === 1 && number.length < 15 && !hasWord) continue;
    const confidence = FOR_TESTS.has(number) ? "low" : taken > 1 || hasWord ? "high" : "medium";
    found.push({ rule: CARD, start, end, confidence });
    i += taken - 1;
  }
  return found;
}

/** How many groups from `i` on have the form of a card number; 0: none. */
function groupsOfCard(groups: readonly string[], i: number): number {
  const lengthAt = (at: number) => groups[at]?.length ?? 0;
  const alone = lengthAt(i);
  if (alone >= 14 && alone <= 19) return 1;
  const fits = (shape: readonly number[]) => shape.every((length, n) => lengthAt(i + n) === length);
  const taken = SHAPES.findLast(fits)?.length ?? 0;
  // More groups of four are a table of numbers.
  return lengthAt(i - 1) === 4 || lengthAt(i + taken) === 4 ? 0 : taken;
}

/** ISO/IEC 7812 ranges in use, with their lengths. */
function isIssued(number: string): boolean {
  const { length } = number;
  const [two, three, four] = [2, 3, 4].map((digits) => Number(number.slice(0, digits)));
  if (two === undefined || three === undefined || four === undefined) return false;
  if (number.startsWith("4")) return length === 16 || length === 19;
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return length === 16;
  if (two === 34 || two === 37) return length === 15;
  if (four === 6011 || two === 65 || (three >= 644 && three <= 649)) return length === 16 || length === 19;
  if (four >= 3528 && four <= 3589) return length === 16;
  if (two === 36 || two === 38 || (three >= 300 && three <= 305)) return length === 14;
  return two === 62 && length >= 16;
}
