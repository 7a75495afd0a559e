import type { ClientBase, Pool } from "pg";
import { lockAlone, unlock, whileShared } from "./named-lock";

/** Processes that send events to ClickHouse share this lock, a backup takes it alone. */
const SHIPPING = "shipping";

/**
 * Runs `ship` unless a backup has the lock or waits for it: then it returns undefined and does nothing. Throws an error
 * that `isConnectionError` recognizes if Postgres is unavailable.
 */
export const whileShipping = <T>(sql: Pool, ship: () => Promise<T>): Promise<T | undefined> =>
  whileShared(sql, SHIPPING, ship);

/** Waits until no process ships, and blocks shipping until `resumeShipping` or the end of this connection. */
export const stopShipping = (client: ClientBase): Promise<void> => lockAlone(client, SHIPPING);

export const resumeShipping = (client: ClientBase): Promise<void> => unlock(client, SHIPPING);
