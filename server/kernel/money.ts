/** Money is exact in nanos (10⁻⁹ of the currency) internally, and in micros (10⁻⁶) in the API. */
export const NANOS_PER_MICRO = 1000n;
const IMPRESSIONS_PER_CPM = 1000n;

export type PriceModel = "cpc" | "cpm";

/** The price of one event in nanos: a click costs its bid, an impression a thousandth of its bid. */
export const nanosPerEvent = (model: PriceModel, bidMicros: bigint): bigint =>
  model === "cpc" ? bidMicros * NANOS_PER_MICRO : (bidMicros * NANOS_PER_MICRO) / IMPRESSIONS_PER_CPM;

/** Rounds half up; applied once, to a total. */
export const nanosToMicros = (nanos: bigint): bigint => (nanos + NANOS_PER_MICRO / 2n) / NANOS_PER_MICRO;
