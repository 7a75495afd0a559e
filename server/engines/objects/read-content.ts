import { type FileHandle, open } from "node:fs/promises";
import { codeOf } from "../file-failures";
import { blobDamaged, blobMissing, onDisk } from "./blob-errors";
import type { BlobRange } from "./blob-store";
import { BLOCK_BYTES, findDamagedBlock, footerBytesOf, footerDamage } from "./block-checksums";

/** A slow client keeps one chunk in memory. */
const CHUNK_BYTES = 2 * BLOCK_BYTES;

interface Reading {
  name: string;
  path: string;
  size: number;
  range: BlobRange;
}

/** Yields the range of a blob's content; only verified bytes, in chunks of at most 512 KiB. */
export async function* readContent({ name, path, size, range }: Reading): AsyncIterable<Uint8Array> {
  const file = await openBlob(name, path);
  try {
    const first = Math.floor(range.start / BLOCK_BYTES) * BLOCK_BYTES;
    const last = Math.min(size, Math.ceil(range.end / BLOCK_BYTES) * BLOCK_BYTES);
    const footerBytes = footerBytesOf(size);
    // One read is enough if the checksums follow soon.
    const isShort = size - first <= CHUNK_BYTES;
    const tail = await readAt(
      file,
      isShort ? { at: first, length: size - first + footerBytes } : { at: size, length: footerBytes },
    );
    const footer = isShort ? tail.subarray(Math.max(0, size - first)) : tail;
    const damage = footerDamage(footer, size);
    if (damage !== undefined) throw blobDamaged(name, damage);
    for (let at = first; at < last; at += CHUNK_BYTES) {
      const end = Math.min(last, at + CHUNK_BYTES);
      const content = isShort ? tail.subarray(0, end - first) : await readAt(file, { at, length: end - at });
      if (content.length < end - at) throw blobDamaged(name, "the file is too short");
      const block = findDamagedBlock(content, at / BLOCK_BYTES, footer);
      if (block !== undefined) throw blobDamaged(name, `block ${block} has another checksum`);
      yield content.subarray(Math.max(0, range.start - at), Math.min(end, range.end) - at);
    }
  } finally {
    await file.close();
  }
}

async function openBlob(name: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") throw blobMissing(name, failure);
    return onDisk(Promise.reject(failure));
  }
}

/** Fewer bytes at the end of the file. */
async function readAt(file: FileHandle, { at, length }: { at: number; length: number }): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await onDisk(file.read(bytes, done, length - done, at + done));
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}
