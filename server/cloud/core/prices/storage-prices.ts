import type { Tier } from "../../../engines/objects/blob-tiers";

/**
 * Prices of a GB (10⁹ bytes) in a month of 730 hours by storage class, as decimal strings in the currency of the
 * installation. Bytes are those of the objects, before compression. All of them are ours.
 */
export const STORAGE_PRICES: Readonly<Record<Tier, string>> = {
  hot: "0.020",
  warm: "0.010",
  cold: "0.004",
  archive: "0.001",
};
