import { formatCount } from "../../../format/numbers";
import type { Usage } from "./wire";

const DAY_MS = 86_400_000;
const MICROS_PER_UNIT = 1_000_000;
const SECONDS_PER_HOUR = 3600;

/** An amount such as "12.50" in micros, for plots and texts: no longer exact beyond 6 decimals. */
export const microsOf = (amount: string): number => Number(amount) * MICROS_PER_UNIT;

/** The services that cost something, in the order of the plot. */
export const PLOTTED = [
  { key: "pods", label: "Pods" },
  { key: "sandboxes", label: "Sandboxes" },
  { key: "workspaces", label: "Workspaces" },
  { key: "reservations", label: "Reservations" },
  { key: "volumes", label: "Shared volumes" },
  { key: "functions", label: "Functions" },
  { key: "queues", label: "Queues" },
] as const;

export interface CostPoint {
  /** A day in UTC. */
  x: string;
  pods: number;
  sandboxes: number;
  workspaces: number;
  reservations: number;
  volumes: number;
  functions: number;
  queues: number;
}

/** The cost of each day of a month up to today, in micros; days without usage, which the API leaves out, are zero. */
export function pointsOf({ from, to, data }: Pick<Usage, "from" | "to" | "data">): CostPoint[] {
  const first = Date.parse(from);
  const days = Math.floor((Date.parse(to) - 1 - first) / DAY_MS) + 1;
  return Array.from({ length: days }, (_, index) => {
    const x = new Date(first + index * DAY_MS).toISOString().slice(0, 10);
    const costOf = (service: string) =>
      data
        .filter((row) => row.day === x && row.service === service)
        .reduce((sum, { amount }) => sum + microsOf(amount ?? "0"), 0);
    const costs = PLOTTED.map(({ key }) => [key, costOf(key)] as const);
    return { x, ...(Object.fromEntries(costs) as Omit<CostPoint, "x">) };
  });
}

/** What the month costs if it continues as until now, in micros; undefined on its first day, which says too little. */
export function forecastOf({ from, to, total }: Pick<Usage, "from" | "to" | "total">): number | undefined {
  const [first, now] = [new Date(from), Date.parse(to)];
  const elapsed = now - first.getTime();
  if (elapsed < DAY_MS) return undefined;
  const end = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1);
  return (microsOf(total) * (end - first.getTime())) / elapsed;
}

const PURCHASES: Readonly<Record<string, string>> = { on_demand: "On demand", spot: "Spot", reserved: "Reserved" };

export const purchaseText = (purchase: string | null | undefined): string =>
  purchase ? (PURCHASES[purchase] ?? purchase) : "–";

const UNITS: Readonly<Record<string, string>> = {
  invocation: "invocations",
  gib_second: "GiB-seconds",
  operation: "operations",
  gb_month: "GB-months",
  token: "tokens",
};

/** "1.5 h", "1,204 operations". */
export function quantityText(quantity: string | null, unit: string | null): string {
  if (quantity === null || unit === null) return "–";
  if (unit === "second") {
    const seconds = Number(quantity);
    return seconds < SECONDS_PER_HOUR ? `${seconds} s` : `${(seconds / SECONDS_PER_HOUR).toFixed(2)} h`;
  }
  const number = Number(quantity);
  return `${Number.isInteger(number) ? formatCount(number) : quantity} ${UNITS[unit] ?? unit}`;
}

/** "$2.85 per hour", "$0.40 per 1,000,000 operations". */
export const perText = (unit: string, priceQuantity: number): string =>
  unit === "second" && priceQuantity === SECONDS_PER_HOUR
    ? "per hour"
    : `per ${formatCount(priceQuantity)} ${UNITS[unit] ?? unit}`;
