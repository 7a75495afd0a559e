import type { Prisma } from "../../../engines/postgres/generated/client";
import { newId } from "../../../kernel/ids";
import { CHECKPOINT_ID_PREFIX, CHECKPOINTS_KEPT, type CheckpointRow, WITHOUT_CHUNKS } from "./checkpoint";
import { removeAllChunks, removeOldCheckpoints, removeUnusedChunks } from "./chunks.sql";
import type { UploadedCheckpoint } from "./upload-files";

type Tx = Prisma.TransactionClient;

/** Adds a checkpoint that the node of the run then saves. The pod is locked, here and below. */
export async function addCheckpoint(
  tx: Tx,
  { podId, run, cause, now }: { podId: string; run: number; cause: "request" | "reclaim"; now: Date },
): Promise<CheckpointRow> {
  const id = newId(CHECKPOINT_ID_PREFIX, now.getTime());
  return tx.podCheckpoint.create({
    data: { id, podId, run, cause, state: "saving", chunks: [], createdAt: now },
    ...WITHOUT_CHUNKS,
  });
}

/** Records what was uploaded, and deletes the oldest checkpoints; undefined if the checkpoint is not being saved. */
export async function completeCheckpoint(
  tx: Tx,
  { id, files, volume, now }: UploadedCheckpoint & { id: string; now: Date },
): Promise<CheckpointRow | undefined> {
  const saved = { state: "saved" as const, ...files, savedAt: now };
  const withVolume = volume && { volumeChunks: volume.chunks, volumeBytes: volume.sizeBytes };
  return endSaving(tx, { id, now, data: { ...saved, ...withVolume } });
}

/** Records why it failed; undefined if the checkpoint is not being saved. */
export async function failCheckpoint(
  tx: Tx,
  { id, reason, now }: { id: string; reason: { code: string; message: string }; now: Date },
): Promise<CheckpointRow | undefined> {
  return endSaving(tx, { id, now, data: { state: "failed", reasonCode: reason.code, reasonText: reason.message } });
}

async function endSaving(
  tx: Tx,
  { id, now, data }: { id: string; now: Date; data: Prisma.PodCheckpointUpdateInput },
): Promise<CheckpointRow | undefined> {
  const found = await tx.podCheckpoint.findUnique({ where: { id, state: "saving" }, ...WITHOUT_CHUNKS });
  if (!found) return undefined;
  const row = await tx.podCheckpoint.update({ where: { id }, data, ...WITHOUT_CHUNKS });
  await removeOldCheckpoints(tx, { podId: row.podId, kept: CHECKPOINTS_KEPT });
  await removeUnusedChunks(tx, row.podId, now);
  return row;
}

/** Deletes a checkpoint that is not being saved. */
export async function dropCheckpoint(tx: Tx, { id, podId }: CheckpointRow, now: Date): Promise<void> {
  await tx.podCheckpoint.delete({ where: { id } });
  await removeUnusedChunks(tx, podId, now);
}

/** Deletes all of a pod, also those that are being saved. */
export async function dropCheckpoints(tx: Tx, podId: string, now: Date): Promise<void> {
  await tx.podCheckpoint.deleteMany({ where: { podId } });
  await removeAllChunks(tx, podId, now);
}
