import type { Pool } from "pg";
import type { Logger } from "pino";
import type { BlobStore } from "../../../engines/objects/blob-store";
import { findOrphans } from "../../../engines/objects/find-orphans";
import { scrubBlobs } from "../../../engines/objects/scrub-blobs";
import { whileRemovingBlobs } from "../../../engines/postgres/blob-removal-lock";
import { inTransaction } from "../../../engines/postgres/in-transaction";
import type { Clock } from "../../../kernel/clock";
import { UNKNOWN_KEPT_MS } from "../../core/quarantine/quarantine-unknown";
import { deleteRemovals, lockDueRemovals, neededBlobs, readOwnersAfter } from "./blob-sweeps.sql";
import { readPosition, writePosition } from "./sweep-positions.sql";
import { forgetBlobs, forgetUnseenBlobs, recordUnknownBlobs } from "./unknown-blobs.sql";
import { blobsOf } from "./version-row";

export interface SweepParts {
  sql: Pool;
  clock: Clock;
  blobs: BlobStore;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal;
}

const REMOVED_AT_ONCE = 500;
const REMOVALS_MAX = 100_000;
/** Later a blob may belong to a change that is not committed yet. */
const UNFINISHED_MS = 60 * 60_000;
const SCRUB_BYTES_PER_SECOND = 8 * 1024 ** 2;
const SCRUB_RUN_BYTES = SCRUB_BYTES_PER_SECOND * 120;
const SCRUB_PAGE = 100;
const SCRUB = "scrub";

/** Removes blobs that no object has had for a while; a backup postpones it. */
export async function removeDueBlobs({ sql, clock, blobs, stopping }: SweepParts): Promise<number> {
  const removeSome = () =>
    inTransaction(sql, async (client) => {
      const names = await lockDueRemovals(client, clock.now(), REMOVED_AT_ONCE);
      if (names.length === 0) return 0;
      await blobs.remove(names);
      await deleteRemovals(client, names);
      return names.length;
    });
  let removed = 0;
  while (removed < REMOVALS_MAX && !stopping.aborted) {
    const count = (await whileRemovingBlobs(sql, removeSome)) ?? 0;
    removed += count;
    if (count < REMOVED_AT_ONCE) break;
  }
  return removed;
}

/**
 * Removes blobs that no object has, 7 days after it first found them so. A crash between the storing of a blob and its commit
 * leaves one behind; many, however old, are unknown to a database that was restored from an early backup, until a newer one
 * is restored.
 */
export async function removeOrphans({ sql, clock, blobs, log, stopping }: SweepParts): Promise<number> {
  const now = clock.now();
  const olderThan = new Date(now.getTime() - UNFINISHED_MS);
  await blobs.removeUnfinished({ olderThan });
  const before = new Date(now.getTime() - UNKNOWN_KEPT_MS);
  const counts = { removed: 0, added: 0 };
  let isComplete = true;
  for await (const names of findOrphans(blobs, { olderThan, neededOf: (all) => neededBlobs(sql, all) })) {
    isComplete = !stopping.aborted && counts.removed < REMOVALS_MAX;
    if (!isComplete) break;
    const { due, added } = await recordUnknownBlobs(sql, { names, now, before });
    counts.added += added;
    isComplete = due.length === 0 || (await removeUnknown({ sql, blobs }, due));
    if (!isComplete) break;
    counts.removed += due.length;
  }
  if (isComplete) await forgetUnseenBlobs(sql, now);
  if (counts.added > 0) log.warn({ ...counts }, "found blobs that no object has, which are kept for 7 days");
  if (counts.removed > 0) log.info({ ...counts }, "removed blobs that no object has had for 7 days");
  return counts.removed;
}

/** Whether it removed them: a backup postpones it. */
async function removeUnknown(
  { sql, blobs }: Pick<SweepParts, "sql" | "blobs">,
  names: readonly string[],
): Promise<boolean> {
  const isRemoved = await whileRemovingBlobs(sql, async () => {
    await blobs.remove(names);
    await forgetBlobs(sql, names);
    return true;
  });
  return isRemoved === true;
}

export interface ScrubCounts {
  ok: number;
  /** Damaged or missing. */
  lost: number;
}

/**
 * Verifies the blobs of some versions, from where the last run ended, at a bounded rate; adds to `counts`. Does nothing
 * for an external store.
 */
export async function scrubObjects(
  { sql, blobs, log, stopping }: SweepParts,
  counts: ScrubCounts,
  { runBytes = SCRUB_RUN_BYTES } = {},
): Promise<void> {
  if (!blobs.needsScrubbing) return;
  let [id, left] = [(await readPosition<{ id: string }>(sql, SCRUB))?.id ?? "", runBytes];
  while (left > 0) {
    const rows = await readOwnersAfter(sql, id, SCRUB_PAGE);
    if (rows.length === 0) return writePosition(sql, SCRUB, undefined);
    for (const row of rows) {
      if (left <= 0) break;
      await scrubVersion({ sql, blobs, log, stopping }, blobsOf({ ...row, isDeleteMarker: false }), counts);
      if (stopping.aborted) return;
      left -= row.size;
      id = row.id;
    }
    await writePosition(sql, SCRUB, { id });
  }
}

async function scrubVersion(
  { sql, blobs, log, stopping }: Pick<SweepParts, "sql" | "blobs" | "log" | "stopping">,
  all: ReturnType<typeof blobsOf>,
  counts: ScrubCounts,
): Promise<void> {
  async function* entries() {
    yield* all;
  }
  const options = { bytesPerSecond: SCRUB_BYTES_PER_SECOND, signal: stopping };
  try {
    for await (const { name, state } of scrubBlobs(blobs, entries(), options)) {
      if (state === "ok") counts.ok++;
      // It may have been deleted meanwhile.
      else if ((await neededBlobs(sql, [name])).has(name)) {
        counts.lost++;
        log.error({ blob: name, state }, "the content of a stored object is lost: restore it from a backup");
      }
    }
  } catch (failure) {
    if (!stopping.aborted) throw failure;
  }
}
