import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../engines/postgres/in-transaction";
import { ServiceError } from "../../kernel/errors";
import { type OrderKey, tryLockOrder } from "./conversions.sql";

const TRIES_MAX = 100;
const PAUSE_MS = 20;

interface OrderWork<T> {
  /** The existing result, if there is nothing to write. */
  known: (sql: Pick<Pool, "query">) => Promise<T | undefined>;
  /** Runs in a transaction under the order's lock, after `known` found nothing in it. */
  write: (client: PoolClient) => Promise<T>;
}

/**
 * Writes an order unless its result is known. A waiting writer does not use a connection, so many reports of one order
 * do not delay others. Throws `unavailable` if the order is not free within a few seconds.
 */
export async function lockOrder<T extends object | string>(
  sql: Pool,
  order: OrderKey,
  { known, write }: OrderWork<T>,
): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const result =
      (await known(sql)) ??
      // Separate statements: only a statement that begins after the lock sees what its last owner wrote.
      (await inTransaction(sql, async (client) =>
        (await tryLockOrder(client, order)) ? ((await known(client)) ?? write(client)) : undefined,
      ));
    if (result !== undefined) return result;
    await pause(PAUSE_MS * (0.5 + Math.random()));
  }
  throw new ServiceError("unavailable", "Too many concurrent reports of this order; retry shortly.", {
    retryAfterSeconds: 1,
  });
}
