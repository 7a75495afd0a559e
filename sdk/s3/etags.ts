import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

const MIB = 1024 * 1024;
/** From this size on, files are uploaded in parts. */
export const PART_BYTES = 16 * MIB;
const PARTS_MAX = 10_000;
/** Part sizes of other clients, in the order in which they are tried. */
const OTHER_PART_BYTES = [8 * MIB, 5 * MIB];

export const md5 = (bytes: Uint8Array): Buffer => createHash("md5").update(bytes).digest();

/** The size of the parts of a file: the same for every upload of a file of this size, so that an upload can be resumed. */
export const partBytesOf = (size: number): number => Math.max(PART_BYTES, Math.ceil(size / PARTS_MAX / MIB) * MIB);

/** S3's ETag of a multipart object: the MD5 of the parts' MD5s, and their number. */
export const multipartEtag = (etags: readonly string[]): string =>
  `${md5(Buffer.from(etags.join(""), "hex")).toString("hex")}-${etags.length}`;

export const isMd5 = (etag: string): boolean => /^[\da-f]{32}$/.test(etag);

/**
 * Whether a file has the content that the ETag of an object of the same size is made from; undefined if the ETag is
 * made in an unknown way.
 */
export async function matchesEtag(file: FileHandle, size: number, etag: string): Promise<boolean | undefined> {
  if (isMd5(etag)) return (await md5OfRange(file, { start: 0, end: size })).toString("hex") === etag;
  const parts = Number(/^[\da-f]{32}-(\d+)$/.exec(etag)?.[1]);
  const partBytes = [partBytesOf(size), ...OTHER_PART_BYTES].find((bytes) => Math.ceil(size / bytes) === parts);
  if (partBytes === undefined) return undefined;
  const etags: string[] = [];
  for (let start = 0; start < size; start += partBytes)
    etags.push((await md5OfRange(file, { start, end: Math.min(size, start + partBytes) })).toString("hex"));
  // Another client may have used another size that gives the same number of parts.
  return multipartEtag(etags) === etag ? true : undefined;
}

/** The MD5 of a part of a file, in constant memory. */
export async function md5OfRange(file: FileHandle, { start, end }: { start: number; end: number }): Promise<Buffer> {
  const hash = createHash("md5");
  const buffer = Buffer.alloc(Math.min(MIB, Math.max(1, end - start)));
  for (let at = start; at < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.byteLength, end - at), at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest();
}
