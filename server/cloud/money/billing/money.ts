import { decimalOf } from "../../../kernel/money";

const NANO_DIGITS = 9;

/** How many decimals the smallest unit of a currency has: 2 for USD, 0 for JPY (ISO 4217). */
export const minorDigits = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

const nanosPerMinor = (currency: string): bigint => 10n ** BigInt(NANO_DIGITS - minorDigits(currency));

/** Rounds half up to the smallest unit of the currency; applied once, to the total of an invoice. */
export function minorOf(nanos: bigint, currency: string): bigint {
  const step = nanosPerMinor(currency);
  return (nanos + step / 2n) / step;
}

/** An amount in the smallest unit as a decimal string: 1234 cents are "12.34". */
export const minorText = (minor: bigint, currency: string): string => decimalOf(minor * nanosPerMinor(currency));

/**
 * Divides a rounded total among amounts, in the smallest unit: each is rounded down, and the units that are left go to the
 * largest remainders (the method of Hamilton), so that they add up to the total.
 */
export function divideMinor(
  amounts: readonly bigint[],
  { total, currency }: { total: bigint; currency: string },
): bigint[] {
  const step = nanosPerMinor(currency);
  const parts = amounts.map((nanos) => nanos / step);
  let left = total - parts.reduce((sum, part) => sum + part, 0n);
  const byRemainder = amounts
    .map((nanos, index) => ({ index, remainder: nanos % step }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder) {
    if (left <= 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts;
}
