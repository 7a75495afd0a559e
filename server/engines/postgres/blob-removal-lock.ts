import type { ClientBase, Pool } from "pg";
import { lockAlone, whileShared } from "./shared-lock";

/**
 * Processes that remove stored blobs take this advisory lock as shared, a backup takes it exclusively ("svco" in
 * ASCII): a blob that the backup's snapshot names must exist until it was copied.
 */
const BLOB_REMOVAL_LOCK = 0x73_76_63_6f;

/**
 * Runs `remove`, which removes blobs that no row names any more, unless a backup runs or waits: then it returns
 * undefined and does nothing. Keep each run short, because a backup waits for it. Throws an error that
 * `isConnectionError` recognizes if Postgres is unavailable.
 */
export const whileRemovingBlobs = <T>(sql: Pool, remove: () => Promise<T>): Promise<T | undefined> =>
  whileShared(sql, { lock: BLOB_REMOVAL_LOCK, work: remove });

/** Waits until no process removes blobs, and blocks removals until the end of this connection. */
export const stopBlobRemovals = (client: ClientBase): Promise<void> => lockAlone(client, BLOB_REMOVAL_LOCK);
