/** What is metered, in the order of tables. */
export const SERVICES = ["pods", "reservations", "queues", "storage", "chat"] as const;
export type Service = (typeof SERVICES)[number];

/** In what a service is counted. A price is that of `priceQuantity` units. */
export interface Meter {
  unit: string;
  priceQuantity: number;
  /** The price if it is the same for all; undefined: each row has its own. null: there is no price. */
  priceNanos?: bigint | null;
  /** How many counted units are one on the wire. */
  countedPerUnit: bigint;
}

/** An average month, as other object stores count it. */
const HOURS_PER_MONTH = 730n;
const BYTES_PER_GB = 1_000_000_000n;

/** The price of queue operations is the specification's; it has none for storage and chat. */
export const METERS: Readonly<Record<Service, Meter>> = {
  pods: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  reservations: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  queues: { unit: "operation", priceQuantity: 1_000_000, priceNanos: 400_000_000n, countedPerUnit: 1n },
  storage: {
    unit: "gb_month",
    priceQuantity: 1,
    priceNanos: null,
    countedPerUnit: BYTES_PER_GB * HOURS_PER_MONTH,
  },
  chat: { unit: "token", priceQuantity: 1_000_000, priceNanos: null, countedPerUnit: 1n },
};

const DECIMALS = 6;
const TRAILING_ZEROS = /\.?0+$/;

/** A counted quantity as a decimal string of units, with at most 6 decimals, rounded down. */
export function quantityText(service: Service, counted: bigint): string {
  const { countedPerUnit } = METERS[service];
  if (countedPerUnit === 1n) return String(counted);
  const scaled = (counted * 10n ** BigInt(DECIMALS)) / countedPerUnit;
  const digits = String(scaled).padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(TRAILING_ZEROS, "");
}
