/** Money is exact in nanos (10⁻⁹ of the currency) internally, and in micros (10⁻⁶) in the API. */
export const NANOS_PER_MICRO = 1000n;
const IMPRESSIONS_PER_CPM = 1000n;

export type PriceModel = "cpc" | "cpm";

/** The price of one event in nanos: a click costs its bid, an impression a thousandth of its bid. */
export const nanosPerEvent = (model: PriceModel, bidMicros: bigint): bigint =>
  model === "cpc" ? bidMicros * NANOS_PER_MICRO : (bidMicros * NANOS_PER_MICRO) / IMPRESSIONS_PER_CPM;

/** Rounds half up; applied once, to a total. */
export const nanosToMicros = (nanos: bigint): bigint => (nanos + NANOS_PER_MICRO / 2n) / NANOS_PER_MICRO;

const NANOS_PER_UNIT = 1_000_000_000n;
const DECIMALS_MIN = 2;
const TRAILING_ZEROS = /0+$/;

/** Nanos as an exact decimal number of units, with 2 to 9 decimals: 1_500_000_000 is "1.50", and 1 is "0.000000001". */
export function decimalOf(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const decimals = String(size % NANOS_PER_UNIT)
    .padStart(9, "0")
    .replace(TRAILING_ZEROS, "")
    .padEnd(DECIMALS_MIN, "0");
  return `${nanos < 0n ? "-" : ""}${size / NANOS_PER_UNIT}.${decimals}`;
}

const NANO_DIGITS = 9;

/** The nanos of a decimal number of units that has at most 9 decimals and no sign. */
export function nanosOf(decimal: string): bigint {
  const [units = "0", decimals = ""] = decimal.split(".");
  return BigInt(units + decimals.padEnd(NANO_DIGITS, "0"));
}
