import { createHmac } from "node:crypto";
import type { BlobStore } from "../../../engines/objects/blob-store";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { deriveSubkey } from "../../../kernel/secrets";
import { addStoredBytes } from "../../core/stored-bytes/add-stored-bytes";
import { VOLUME_QUOTAS } from "../../data/volumes/volumes.quotas";
import { CHECKPOINT_BYTES_MAX, CheckpointFailure } from "./checkpoint";
import { encodeChunk } from "./chunk-codec";
import { cutChunks } from "./cut-chunks";

export interface CheckpointCtx {
  db: PrismaClient;
  clock: Clock;
  blobs: BlobStore;
  /** The root of the keys of digests. */
  encryptionKey: Buffer;
}

/** A checkpoint that is being saved. */
interface CheckpointTarget {
  id: string;
  podId: string;
  tenantId: string;
  /** Of the archive. */
  bytesMax?: number;
}

export interface UploadedFiles {
  /** Digests, in order. */
  chunks: string[];
  sizeBytes: number;
}

export interface UploadedCheckpoint {
  files: UploadedFiles;
  volume?: UploadedFiles | undefined;
}

/** Uploaded together: at most 32 MiB are held. */
const CHUNKS_AT_ONCE = 8;

/** The key differs between pods, so that a digest does not reveal what another pod has stored. */
export function digestsOf(encryptionKey: Buffer, podId: string): (chunk: Buffer) => string {
  const key = deriveSubkey(encryptionKey, `checkpoint:${podId}`);
  return (chunk) => createHmac("sha256", key).update(chunk).digest("base64url");
}

export const chunkName = ({ tenantId, podId }: Pick<CheckpointTarget, "tenantId" | "podId">, id: string): string =>
  `${tenantId}/${podId}/${id}`;

/**
 * Uploads the chunks of an archive that object storage does not have of this pod. Can be repeated after a crash, and
 * then uploads only what is missing. Throws CheckpointFailure if the archive is too large, the tenant's quota is used up
 * or the checkpoint was deleted meanwhile, and `unavailable` of the storage.
 */
export async function uploadFiles(
  ctx: CheckpointCtx,
  target: CheckpointTarget,
  files: AsyncIterable<Uint8Array>,
): Promise<UploadedFiles> {
  const digestOf = digestsOf(ctx.encryptionKey, target.podId);
  const { bytesMax = CHECKPOINT_BYTES_MAX } = target;
  const chunks: string[] = [];
  let sizeBytes = 0;
  let batch = new Map<string, Buffer>();
  for await (const chunk of cutChunks(files)) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) throw tooLarge(bytesMax);
    const digest = digestOf(chunk);
    chunks.push(digest);
    batch.set(digest, chunk);
    if (batch.size < CHUNKS_AT_ONCE) continue;
    await storeMissing(ctx, target, batch);
    batch = new Map();
  }
  await storeMissing(ctx, target, batch);
  return { chunks, sizeBytes };
}

interface NewChunk {
  id: string;
  digest: string;
  size: number;
  storedBytes: number;
  codec: string;
}

async function storeMissing(
  ctx: CheckpointCtx,
  target: CheckpointTarget,
  batch: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const { podId } = target;
  const where = { podId, digest: { in: [...batch.keys()] } };
  const known = await ctx.db.podChunk.findMany({ where, select: { digest: true } });
  const isKnown = new Set(known.map(({ digest }) => digest));
  const missing = [...batch].filter(([digest]) => !isKnown.has(digest));
  if (missing.length === 0) return;
  const stored = await Promise.all(missing.map(([digest, chunk]) => store(ctx, target, { digest, chunk })));
  try {
    await record(ctx, target, stored);
  } catch (failure) {
    if (isRefused(failure)) await ctx.blobs.remove(stored.map(({ id }) => chunkName(target, id)));
    // Otherwise they may be recorded; the sweep of orphans decides later.
    throw quotaFailure(failure);
  }
}

async function store(
  { blobs, clock }: CheckpointCtx,
  target: CheckpointTarget,
  { digest, chunk }: { digest: string; chunk: Buffer },
): Promise<NewChunk> {
  const { codec, bytes } = await encodeChunk(chunk);
  const id = newId("chk", clock.now().getTime());
  await blobs.put(chunkName(target, id), one(bytes));
  return { id, digest, size: chunk.length, storedBytes: bytes.length, codec };
}

async function* one(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The row of a chunk exists only while that of a checkpoint that needs it, or is being saved, does. */
async function record(
  { db, clock }: CheckpointCtx,
  target: CheckpointTarget,
  chunks: readonly NewChunk[],
): Promise<void> {
  const { id, podId, tenantId } = target;
  const adding = chunks.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  await db.$transaction(async (tx) => {
    await assertQuota(tx, { tenantId, adding }, VOLUME_QUOTAS.checkpoint_bytes);
    await tx.pod.update({ where: { id: podId }, data: { checkpointBytes: { increment: adding } } });
    const { count } = await tx.podCheckpoint.updateMany({
      where: { id, state: "saving" },
      data: { newBytes: { increment: adding } },
    });
    if (count === 0) throw new CheckpointFailure("deleted", "The checkpoint was deleted while it was saved.");
    await tx.podChunk.createMany({ data: chunks.map((chunk) => ({ ...chunk, podId, tenantId })) });
    await addStoredBytes(tx, { tenantId, noun: "checkpoints", bytes: adding, now: clock.now() });
  });
}

const isRefused = (failure: unknown): boolean =>
  failure instanceof CheckpointFailure || (failure instanceof ServiceError && failure.code === "quota_exceeded");

const quotaFailure = (failure: unknown): unknown =>
  failure instanceof ServiceError && failure.code === "quota_exceeded"
    ? new CheckpointFailure("quota_exceeded", failure.message)
    : failure;

const tooLarge = (bytesMax: number): CheckpointFailure =>
  new CheckpointFailure(
    "too_large",
    `The archive of the files is larger than ${bytesMax / 1024 ** 3} GiB; holes of sparse files count.`,
  );
