import type { Readable } from "node:stream";
import type { BlobStore } from "../../../engines/objects/blob-store";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { RuntimeError } from "../../../engines/runtime/runtime";
import { volumeArchiveMax } from "../../../engines/runtime/runtime-volumes";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { addStoredBytes } from "../../core/stored-bytes/add-stored-bytes";
import { ArchiveTooLarge, blobName, type StoredArchive, storeArchive } from "./snapshot-archive";
import { VOLUME_QUOTAS } from "./volumes.quotas";
import type { DueSnapshot } from "./volumes.sql";

interface SaveCtx {
  db: PrismaClient;
  clock: Clock;
  blobs: BlobStore;
}

const GIB = 1024 ** 3;

/** Saves the files of a volume. What cannot succeed later is recorded as its failure; throws for the rest. */
export async function saveSnapshot(ctx: SaveCtx, snapshot: DueSnapshot, archive: Readable): Promise<void> {
  try {
    const bytesMax = volumeArchiveMax(snapshot.capacityGb * GIB);
    const stored = await storeArchive(ctx.blobs, snapshot, { archive, bytesMax });
    await recordSnapshotStored(ctx, snapshot, stored);
  } catch (cause) {
    const reason = reasonOf(cause);
    if (!reason) throw cause;
    const data = { state: "failed", reasonCode: reason.code, reasonText: reason.message } as const;
    await ctx.db.volumeSnapshot.updateMany({ where: { id: snapshot.id, state: "saving" }, data });
  } finally {
    archive.destroy();
  }
}

/** Throws `quota_exceeded`; what was stored is removed then, and if the snapshot is not being saved any more. */
async function recordSnapshotStored(ctx: SaveCtx, snapshot: DueSnapshot, stored: StoredArchive): Promise<void> {
  const { tenantId, id } = snapshot;
  const { sizeBytes, storedBytes, blob } = stored;
  const drop = () => ctx.blobs.remove([blobName(snapshot, blob)]);
  try {
    const { count } = await ctx.db.$transaction(async (tx) => {
      await assertQuota(tx, { tenantId, adding: storedBytes }, VOLUME_QUOTAS.checkpoint_bytes);
      const now = ctx.clock.now();
      const saved = await tx.volumeSnapshot.updateMany({
        where: { id, state: "saving" },
        data: { state: "saved", savedAt: now, sizeBytes, storedBytes, blob },
      });
      await addStoredBytes(tx, { tenantId, noun: "checkpoints", bytes: storedBytes, now });
      return saved;
    });
    if (count === 0) await drop();
  } catch (failure) {
    // Otherwise it may be recorded; the sweep of orphans decides later.
    if (failure instanceof ServiceError && failure.code === "quota_exceeded") await drop();
    throw failure;
  }
}

function reasonOf(cause: unknown): { code: string; message: string } | undefined {
  if (cause instanceof ArchiveTooLarge) return { code: "too_large", message: cause.message };
  if (cause instanceof ServiceError && cause.code === "quota_exceeded") return cause;
  if (cause instanceof RuntimeError && cause.reason !== "terminated")
    return { code: cause.reason, message: cause.message };
  return undefined;
}
