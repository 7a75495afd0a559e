import type { ClientBase, Pool } from "pg";
import { lockAlone, unlock, whileShared } from "./shared-lock";

/**
 * Processes that send events to ClickHouse take this advisory lock as shared, a backup takes it exclusively ("svcs" in
 * ASCII).
 */
const SHIPPING_LOCK = 0x73_76_63_73;

/**
 * Runs `ship` unless a backup has the lock or waits for it: then it returns undefined and does nothing. Throws an error
 * that `isConnectionError` recognizes if Postgres is unavailable.
 */
export const whileShipping = <T>(sql: Pool, ship: () => Promise<T>): Promise<T | undefined> =>
  whileShared(sql, { lock: SHIPPING_LOCK, work: ship });

/** Waits until no process ships, and blocks shipping until `resumeShipping` or the end of this connection. */
export const stopShipping = (client: ClientBase): Promise<void> => lockAlone(client, SHIPPING_LOCK);

export const resumeShipping = (client: ClientBase): Promise<void> => unlock(client, SHIPPING_LOCK);
