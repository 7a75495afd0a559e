import { nanosOf } from "../../../kernel/money";
import { QUEUE_OPERATIONS_PRICE } from "../../core/prices/edge-prices";
import { STORAGE_PRICES } from "../../core/prices/storage-prices";

/** What is metered, in the order of tables. */
export const SERVICES = [
  "pods",
  "sandboxes",
  "workspaces",
  "reservations",
  "volumes",
  "networks",
  "functions",
  "queues",
  "storage",
  "chat",
] as const;
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

/**
 * Of functions: the pods of those in Node and Python are counted by the second; the time of the others is
 * counted in milliseconds of each 128 MiB, of which 8 are a GiB. The prices are ours.
 */
const FUNCTION_METERS: Readonly<Record<string, Meter>> = {
  invocations: { unit: "invocation", priceQuantity: 1_000_000, priceNanos: 200_000_000n, countedPerUnit: 1n },
  cpu: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  duration: { unit: "gib_second", priceQuantity: 1_000_000, priceNanos: 16_000_000_000n, countedPerUnit: 8000n },
};

/** The price of queue operations is the specification's; it has none for chat. Each storage class has its own. */
const METERS: Readonly<Record<Exclude<Service, "functions">, Meter>> = {
  pods: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  sandboxes: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  workspaces: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  reservations: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  // A row has the price of an hour of its capacity.
  volumes: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  networks: { unit: "second", priceQuantity: 3600, countedPerUnit: 1n },
  queues: {
    unit: "operation",
    priceQuantity: 1_000_000,
    priceNanos: nanosOf(QUEUE_OPERATIONS_PRICE),
    countedPerUnit: 1n,
  },
  storage: {
    unit: "gb_month",
    priceQuantity: 1,
    countedPerUnit: BYTES_PER_GB * HOURS_PER_MONTH,
  },
  chat: { unit: "token", priceQuantity: 1_000_000, priceNanos: null, countedPerUnit: 1n },
};

/** What says how something is counted. */
export interface Metered {
  service: Service;
  sku: string;
}

/** In what a SKU is counted; the same object for the same meter. */
export function meterOf({ service, sku }: Metered): Meter {
  const meter = service === "functions" ? FUNCTION_METERS[sku] : METERS[service];
  if (!meter) throw new Error(`Nothing is counted as ${sku} of ${service}.`);
  return meter;
}

const STORAGE_NANOS = new Map<string, bigint>(
  Object.entries(STORAGE_PRICES).map(([tier, price]) => [tier, nanosOf(price)]),
);

/** The price of `priceQuantity` units of a SKU that has the same price in all rows; null: it has none. */
export const priceOf = (metered: Metered): bigint | null =>
  (metered.service === "storage" ? STORAGE_NANOS.get(metered.sku) : meterOf(metered).priceNanos) ?? null;

/** What a counted quantity costs, in nanos, rounded down; null: it has no price. */
export function amountOf(metered: Metered, counted: bigint): bigint | null {
  const { priceQuantity, countedPerUnit } = meterOf(metered);
  const priceNanos = priceOf(metered);
  return priceNanos === null ? null : (counted * priceNanos) / (BigInt(priceQuantity) * countedPerUnit);
}

const DECIMALS = 6;
const TRAILING_ZEROS = /\.?0+$/;

/** A counted quantity as a decimal string of units, with at most 6 decimals, rounded down. */
export function quantityText(metered: Metered, counted: bigint): string {
  const { countedPerUnit } = meterOf(metered);
  if (countedPerUnit === 1n) return String(counted);
  const scaled = (counted * 10n ** BigInt(DECIMALS)) / countedPerUnit;
  const digits = String(scaled).padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(TRAILING_ZEROS, "");
}
