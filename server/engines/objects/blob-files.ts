import { constants } from "node:fs";
import { copyFile, link, open } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../file-failures";
import { reasonOf } from "./blob-errors";
import { TIERS, tierFolder } from "./blob-tiers";
import { CHECKSUM_BYTES, contentBytesOf, TRAILER_BYTES } from "./block-checksums";
import { readContent } from "./read-content";
import { walkBlobs } from "./walk-blobs";

/** What is known of the file of a blob without its name. */
export interface BlobFile {
  /** Of the file. */
  bytes: number;
  /** Hex; equal for equal contents. "damaged": the content differs from its checksums. */
  checksum: string;
}

/** Yields the names of all blobs below a folder, of every storage class. */
export async function* blobsBelow(root: string): AsyncIterable<string> {
  for (const tier of TIERS) {
    for await (const names of walkBlobs(tierFolder(root, tier), { olderThan: undefined })) yield* names;
  }
}

/** Reads the whole file of a blob and compares its checksums; undefined if it does not exist. */
export async function inspectBlobFile(file: string): Promise<BlobFile | undefined> {
  try {
    const { bytes, trailer } = await readTrailer(file);
    const size = contentBytesOf(bytes);
    const checksum = trailer.subarray(-CHECKSUM_BYTES).toString("hex");
    const range = { start: 0, end: size };
    return { bytes, checksum: (await isWhole(file, { size, range })) ? checksum : "damaged" };
  } catch (failure) {
    if (codeOf(failure) === "ENOENT" || reasonOf(failure) === "blob_missing") return undefined;
    throw failure;
  }
}

async function isWhole(
  file: string,
  content: { size: number; range: { start: number; end: number } },
): Promise<boolean> {
  if (content.size < 0) return false;
  try {
    for await (const _chunk of readContent({ name: path.basename(file), path: file, ...content }));
    return true;
  } catch (failure) {
    if (reasonOf(failure) === "blob_damaged") return false;
    throw failure;
  }
}

async function readTrailer(file: string): Promise<{ bytes: number; trailer: Buffer }> {
  const handle = await open(file, "r");
  try {
    const { size: bytes } = await handle.stat();
    const trailer = Buffer.alloc(TRAILER_BYTES);
    await handle.read(trailer, 0, TRAILER_BYTES, Math.max(0, bytes - TRAILER_BYTES));
    return { bytes, trailer };
  } finally {
    await handle.close();
  }
}

/**
 * Gives the file of a blob a second name, or copies it durably where that is not possible. The folder of the second
 * name must exist; the caller syncs it.
 */
export async function duplicateBlobFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (failure) {
    if (!isNotLinkable(failure)) throw failure;
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    const handle = await open(to, "r+");
    await handle.datasync().finally(() => handle.close());
  }
}

/** Too many names of one file, another file system, or one without links. */
export const isNotLinkable = (failure: unknown): boolean =>
  ["EMLINK", "EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(String(codeOf(failure)));

/** Whether a folder contains blobs. */
export async function hasBlobs(root: string): Promise<boolean> {
  for await (const _name of blobsBelow(root)) return true;
  return false;
}
