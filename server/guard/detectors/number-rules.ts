import { IS_DIGIT } from "./byte-classes";
import { type DigitExtent, type DigitGroups, digitExtentAt, digitGroupsOf, isFree } from "./digit-groups";
import { ibanAt } from "./ibans";
import { myNumberIn, socialSecurityNumberIn } from "./national-ids";
import { cardsIn } from "./payment-cards";
import { domesticNumberIn, internationalNumberAt } from "./phone-numbers";
import type { Match, Window } from "./rule";

const PLUS = 0x2b;
/** The shortest number that a rule knows is that of the last groups of a phone number. */
const DIGITS_MIN = 7;

/**
 * Tries the rules for numbers on those that begin from `from` to before `to`. Returns where the search goes on: behind
 * the last number, which may end behind `to`.
 */
export function searchNumbers(
  window: Window,
  { from, to }: { from: number; to: number },
  found: (match: Match) => void,
): number {
  const { bytes } = window;
  let at = from;
  while (at < to) {
    if (IS_DIGIT[bytes[at] ?? 0] === 0) {
      at++;
      continue;
    }
    at = numberAt(window, at, found);
  }
  return at;
}

/** Tries the rules on the number that begins at `start`. Returns its end. */
function numberAt(window: Window, start: number, found: (match: Match) => void): number {
  const { bytes } = window;
  const iban = isUpper(bytes[start - 1]) && isUpper(bytes[start - 2]) ? ibanAt(bytes, start) : undefined;
  const special = iban ?? (bytes[start - 1] === PLUS ? internationalNumberAt(window, start) : undefined);
  if (special) {
    found(special);
    return special.end;
  }
  const extent = digitExtentAt(bytes, start);
  if (extent.digits >= DIGITS_MIN && isFree(bytes, extent)) for (const match of matchesOf(window, extent)) found(match);
  return extent.end;
}

/** Each rule knows how many digits its numbers have, so that most numbers are not looked at further. */
function matchesOf(window: Window, extent: DigitExtent): Match[] {
  const { digits } = extent;
  if (digits >= CARD_DIGITS_MIN) return cardsIn(window, digitGroupsOf(window.bytes, extent));
  const rule = RULES.get(digits);
  const match = rule?.(window, digitGroupsOf(window.bytes, extent));
  return match ? [match] : [];
}

const CARD_DIGITS_MIN = 14;
const RULES: ReadonlyMap<number, (window: Window, digits: DigitGroups) => Match | undefined> = new Map([
  [7, domesticNumberIn],
  [9, socialSecurityNumberIn],
  [10, domesticNumberIn],
  [11, domesticNumberIn],
  [12, myNumberIn],
]);

const isUpper = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x41 && byte <= 0x5a;
