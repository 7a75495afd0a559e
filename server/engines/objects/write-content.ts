import type { FileHandle } from "node:fs/promises";
import { onDisk } from "./blob-errors";
import { BlockChecksums } from "./block-checksums";
import { untilAborted } from "./until-aborted";

/** A write takes this many bytes; the next one is collected meanwhile. */
const WRITE_BYTES = 2 ** 18;
/** Tiny chunks are written earlier, because each of them has its own memory. */
const WRITE_CHUNKS = 256;

interface Writing {
  signal?: AbortSignal | undefined;
  /** Awaited before each write, with the bytes written so far; what it throws ends the writing. */
  beforeWrite: (written: number) => Promise<void>;
}

/** Writes a content and its checksums into an empty file, without copying it, and returns the content's size. */
export async function writeContent(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  { signal, beforeWrite }: Writing,
): Promise<number> {
  const checksums = new BlockChecksums();
  let position = 0;
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    await writing;
    await beforeWrite(position);
    writing = writeAll(file, batch, position);
    // A failure is thrown where it is awaited.
    writing.catch(() => undefined);
    position += batchBytes;
    batch = [];
    batchBytes = 0;
  };
  try {
    for await (const chunk of untilAborted(body, signal)) {
      if (chunk.length === 0) continue;
      checksums.add(chunk);
      batch.push(chunk);
      batchBytes += chunk.length;
      if (batchBytes >= WRITE_BYTES || batch.length >= WRITE_CHUNKS) await flush();
    }
    const { size } = checksums;
    const footer = checksums.footer();
    batch.push(footer);
    batchBytes += footer.length;
    await flush();
    return size;
  } finally {
    // The file must not be closed while it is written.
    await writing;
  }
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], position: number): Promise<void> {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const { bytesWritten } = await onDisk(file.writev(chunks, position));
  if (bytesWritten === bytes) return;
  // The kernel may write less, for example when the disk is nearly full.
  const all = Buffer.concat(chunks);
  for (let done = bytesWritten; done < bytes; ) {
    const { bytesWritten: more } = await onDisk(file.write(all, done, bytes - done, position + done));
    done += more;
  }
}
