import { Readable } from "node:stream";
import { reasonOf } from "../../../engines/objects/blob-errors";
import type { PodChunk } from "../../../engines/postgres/generated/client";
import { CheckpointFailure } from "./checkpoint";
import { decodeChunk } from "./chunk-codec";
import { type CheckpointCtx, chunkName, digestsOf } from "./upload-files";

const ROWS_AT_ONCE = 500;

/** A checkpoint has an archive of each. */
export type CheckpointPart = "files" | "volume";

/**
 * An archive of a saved checkpoint, as `snapshot` of the runtime gave it, in constant memory. Each chunk is compared with
 * its digest before it is passed on. The stream fails with CheckpointFailure (`damaged`, `no_such_checkpoint`,
 * `codec_unknown`), and `unavailable` of the storage.
 */
export const readCheckpoint = (ctx: CheckpointCtx, id: string, part: CheckpointPart = "files"): Readable =>
  Readable.from(contentOf(ctx, id, part), { objectMode: false });

async function* contentOf(ctx: CheckpointCtx, id: string, part: CheckpointPart): AsyncIterable<Buffer> {
  const row = await ctx.db.podCheckpoint.findUnique({ where: { id, state: "saved" } });
  if (!row) throw new CheckpointFailure("no_such_checkpoint", "The checkpoint does not exist any more.");
  const { podId } = row;
  const chunks = part === "files" ? row.chunks : row.volumeChunks;
  const digestOf = digestsOf(ctx.encryptionKey, podId);
  for (let at = 0; at < chunks.length; at += ROWS_AT_ONCE) {
    const digests = chunks.slice(at, at + ROWS_AT_ONCE);
    const rows = await ctx.db.podChunk.findMany({ where: { podId, digest: { in: digests } } });
    const byDigest = new Map(rows.map((chunk) => [chunk.digest, chunk]));
    for (const digest of digests) {
      const chunk = byDigest.get(digest);
      const content = chunk && (await contentOfChunk(ctx, chunk));
      if (!content || digestOf(content) !== digest) throw damaged(id);
      yield content;
    }
  }
}

/** Undefined if it is damaged or missing. */
async function contentOfChunk({ blobs }: CheckpointCtx, chunk: PodChunk): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of blobs.read(chunkName(chunk, chunk.id), { size: chunk.storedBytes })) parts.push(part);
  } catch (failure) {
    const reason = reasonOf(failure);
    if (reason === "blob_damaged" || reason === "blob_missing") return undefined;
    throw failure;
  }
  try {
    return await decodeChunk({ codec: chunk.codec, bytes: Buffer.concat(parts) }, chunk.size);
  } catch (failure) {
    if (failure instanceof CheckpointFailure) throw failure;
    return undefined;
  }
}

const damaged = (id: string): CheckpointFailure =>
  new CheckpointFailure("damaged", `A part of the checkpoint ${id} is damaged or missing in object storage.`);
