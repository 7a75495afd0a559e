import type { Pool } from "pg";
import type { Purchase } from "../../core/prices/pod-prices";
import { type MeteredQuery, readMeteredRuns } from "./metered-runs.sql";
import { amountOf, priceOf, type Service } from "./services";
import { readUsageDays } from "./usage-days.sql";

/** What was used of one service at one price, and what it costs. */
export interface UsageRow {
  day: string | null;
  projectId: string | null;
  service: Service;
  sku: string;
  /** null: the service has no purchase modes. */
  purchase: Purchase | null;
  /** In counted units; see `meterOf`. */
  quantity: bigint;
  /** The price of `priceQuantity` units; null: there is no price. */
  priceNanos: bigint | null;
  amountNanos: bigint | null;
  /** False while a run of the row goes on, or the row's last day is measured again. */
  isFinal: boolean;
}

/** Returns the usage of a tenant and mode in a period; every row has one price, and amounts are exact. */
export async function readUsage(sql: Pick<Pool, "query">, query: MeteredQuery): Promise<UsageRow[]> {
  const runs = await readMeteredRuns(sql, query);
  const days = await readUsageDays(sql, query);
  return [
    ...runs.map(({ seconds, ...row }) => ({ ...row, quantity: seconds })),
    ...days.map((row) => {
      const amountNanos = amountOf(row, row.quantity);
      return { ...row, purchase: null, priceNanos: priceOf(row), amountNanos, isFinal: query.to < query.now };
    }),
  ];
}

/** The exact sum of amounts, in nanos. */
export const sumNanos = (rows: readonly Pick<UsageRow, "amountNanos">[]): bigint =>
  rows.reduce((sum, { amountNanos }) => sum + (amountNanos ?? 0n), 0n);
