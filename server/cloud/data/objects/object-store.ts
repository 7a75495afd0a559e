import type { Logger } from "pino";
import type { BlobStore } from "../../../engines/objects/blob-store";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { Change, Value } from "./changes";
import type { ChangeCommits } from "./commit-changes";
import type { RootKeys } from "./encryption";
import type { BucketRef } from "./objects";
import type { OpenReadings } from "./open-readings";
import type { Sql } from "./versions.sql";

/** What the functions on objects share. */
export interface ObjectStore {
  sql: Sql;
  clock: Clock;
  blobs: BlobStore;
  log: Pick<Logger, "info" | "warn" | "error">;
  commits: ChangeCommits;
  readings: OpenReadings;
  storedBytes?: Pick<TenantRoom, "assertRoom"> | undefined;
  /** Wraps the data keys of objects that are encrypted with keys of this installation. */
  rootKeys?: RootKeys | undefined;
}

export const blobName = ({ tenantId, id }: BucketRef, blobId: string): string => `${tenantId}/${id}/${blobId}`;

/**
 * Commits a change that refers to new blobs; if it certainly was not stored, they are removed. `bytes` were received, of a
 * body that may not have said how many come.
 */
export async function commitWithBlobs<C extends Change>(
  { commits, blobs, log, storedBytes }: Pick<ObjectStore, "commits" | "blobs" | "log" | "storedBytes">,
  { tenantId, change, names, bytes }: { tenantId: string; change: C; names: readonly string[]; bytes?: number },
): Promise<Value<C>> {
  try {
    if (bytes !== undefined) await storedBytes?.assertRoom(tenantId, bytes);
    return await commits.commit(tenantId, change);
  } catch (failure) {
    // Otherwise the change may be stored; the sweep of orphans decides later.
    if (wasRefused(failure)) await removeNow(blobs, names, log);
    throw failure;
  }
}

function wasRefused(failure: unknown): boolean {
  if (!(failure instanceof ServiceError)) return false;
  const reason = failure.details?.reason;
  return failure.code !== "unavailable" || reason === "back_pressure" || reason === "shutting_down";
}

/** What fails here is removed by the sweep of orphans. */
export async function removeNow(blobs: BlobStore, names: readonly string[], log: ObjectStore["log"]): Promise<void> {
  await blobs.remove(names).catch((err: unknown) => log.warn({ err }, "cannot remove blobs that no object has"));
}
