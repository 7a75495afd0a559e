import type { Pool } from "pg";
import type { Logger } from "pino";
import type { BlobStore } from "../../engines/objects/blob-store";
import { findOrphans } from "../../engines/objects/find-orphans";
import { scrubBlobs } from "../../engines/objects/scrub-blobs";
import { whileRemovingBlobs } from "../../engines/postgres/blob-removal-lock";
import { inTransaction } from "../../engines/postgres/in-transaction";
import type { Clock } from "../../kernel/clock";
import { deleteRemovals, lockDueRemovals, neededBlobs, readOwnersAfter } from "./blob-sweeps.sql";
import { readPosition, writePosition } from "./sweep-positions.sql";
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
/** Younger blobs that no object has may be what was stored since the backup from which the database was restored. */
const ORPHAN_AFTER_MS = 7 * 24 * 60 * 60_000;
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
 * Removes what a crash between the storing of a blob and its commit left behind, after 7 days: until then the database may
 * be restored from a backup that has it.
 */
export async function removeOrphans({ sql, clock, blobs, log, stopping }: SweepParts): Promise<number> {
  await blobs.removeUnfinished({ olderThan: new Date(clock.now().getTime() - UNFINISHED_MS) });
  const olderThan = new Date(clock.now().getTime() - ORPHAN_AFTER_MS);
  let removed = 0;
  for await (const names of findOrphans(blobs, { olderThan, neededOf: (all) => neededBlobs(sql, all) })) {
    if (stopping.aborted || removed >= REMOVALS_MAX) break;
    const isRemoved = await whileRemovingBlobs(sql, async () => {
      await blobs.remove(names);
      return true;
    });
    if (!isRemoved) break;
    removed += names.length;
  }
  if (removed > 0) log.info({ removed }, "removed blobs that no object has");
  return removed;
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
