import { IS_DIGIT, IS_WORD, isIn, latin1 } from "./byte-classes";

const DIGITS_MAX = 24;
const BYTES_MAX = 200;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const SPACE = 0x20;

/** Digits in groups that one kind of separator divides, such as `4111 1111 1111 1111`. */
export interface DigitGroups {
  start: number;
  end: number;
  /** The digits of each group. */
  groups: readonly string[];
  /** Where each group begins. */
  starts: readonly number[];
  /** 0 if there is one group. */
  separator: number;
}

/** Where digits end, and how many they are. Most numbers need no more than that. */
export interface DigitExtent {
  start: number;
  end: number;
  digits: number;
  separator: number;
}

/**
 * Finds the end of the digits at `start`, where a run of digits begins. A second kind of separator ends them, so that a
 * date is not a part of the number behind it.
 */
export function digitExtentAt(bytes: Buffer, start: number): DigitExtent {
  let [at, separator, digits] = [start, 0, 0];
  for (;;) {
    const from = at;
    while (isIn(IS_DIGIT, bytes, at) && at - from < DIGITS_MAX) at++;
    digits += at - from;
    const next = bytes[at] ?? 0;
    const isSeparator = next === HYPHEN || next === SPACE || next === DOT;
    if (!isSeparator || !isIn(IS_DIGIT, bytes, at + 1)) break;
    if ((separator !== 0 && next !== separator) || at - start > BYTES_MAX) break;
    separator = next;
    at++;
  }
  return { start, end: at, digits, separator };
}

/** The groups of digits. */
export function digitGroupsOf(bytes: Buffer, { start, end, separator }: DigitExtent): DigitGroups {
  const groups = separator === 0 ? [latin1(bytes, start, end)] : latin1(bytes, start, end).split(/[-. ]/);
  let at = start;
  const starts = groups.map(({ length }) => {
    const from = at;
    at += length + 1;
    return from;
  });
  return { start, end, groups, starts, separator };
}

/** Whether neither a letter nor a decimal point adjoins. */
export function isFree(bytes: Buffer, { start, end }: DigitExtent): boolean {
  if (isIn(IS_WORD, bytes, start - 1) || isIn(IS_WORD, bytes, end)) return false;
  const before = bytes[start - 1];
  if ((before === DOT || before === HYPHEN) && isIn(IS_WORD, bytes, start - 2)) return false;
  const after = bytes[end];
  return !((after === DOT || after === HYPHEN) && isIn(IS_WORD, bytes, end + 1));
}

/** The lengths of the groups, such as `3-2-4`. */
export const shapeOf = ({ groups }: Pick<DigitGroups, "groups">): string =>
  groups.map(({ length }) => length).join("-");
