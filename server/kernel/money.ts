/** Money is exact in nanos (10⁻⁹ of the currency) inside, and micros (10⁻⁶) on the wire. */
export const NANOS_PER_MICRO = 1000n;
const IMPRESSIONS_PER_CPM = 1000n;

export type PriceModel = "cpc" | "cpm";

/** What one event costs, in nanos: a click at its bid, an impression at a thousandth of its bid. */
export const nanosPerEvent = (model: PriceModel, bidMicros: bigint): bigint =>
  model === "cpc" ? bidMicros * NANOS_PER_MICRO : (bidMicros * NANOS_PER_MICRO) / IMPRESSIONS_PER_CPM;

/** Rounds half up; applied once, to a total. */
export const nanosToMicros = (nanos: bigint): bigint => (nanos + NANOS_PER_MICRO / 2n) / NANOS_PER_MICRO;
