import type { ClientBase, Pool } from "pg";
import { lockAlone, whileShared } from "./named-lock";

/**
 * Processes that remove stored blobs share this lock, a backup takes it alone: a blob that the backup's snapshot names must
 * exist until it was copied.
 */
const BLOB_REMOVAL = "blob-removal";

/**
 * Runs `remove`, which removes blobs that no row names any more, unless a backup runs or waits: then it returns
 * undefined and does nothing. Keep each run short, because a backup waits for it. Throws an error that
 * `isConnectionError` recognizes if Postgres is unavailable.
 */
export const whileRemovingBlobs = <T>(sql: Pool, remove: () => Promise<T>): Promise<T | undefined> =>
  whileShared(sql, BLOB_REMOVAL, remove);

/** Waits until no process removes blobs, and blocks removals until the end of this connection. */
export const stopBlobRemovals = (client: ClientBase): Promise<void> => lockAlone(client, BLOB_REMOVAL);
