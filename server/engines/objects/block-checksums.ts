import { crc32c } from "@node-rs/crc32";

/**
 * The layout of a blob's file, version 1; numbers are little-endian:
 *
 *   content          `size` bytes
 *   checksums        4 bytes for each block of 256 KiB of the content (the last one may be shorter): its CRC32C
 *   mark             4 bytes "svcB"
 *   version          1 byte: 1
 *   block size       1 byte: its binary logarithm, 18
 *   reserved         2 bytes: 0
 *   size             8 bytes
 *   own checksum     4 bytes: CRC32C of everything after the content and before it
 *
 * The content is first, so that reads of it are aligned and need no other read if the blob is small.
 */
export const BLOCK_BYTES = 2 ** 18;

const MARK = Buffer.from("svcB");
const VERSION = 1;
export const CHECKSUM_BYTES = 4;
export const TRAILER_BYTES = 20;

const blocksOf = (size: number): number => Math.ceil(size / BLOCK_BYTES);

/** The bytes after the content of a blob of `size` bytes. */
export const footerBytesOf = (size: number): number => blocksOf(size) * CHECKSUM_BYTES + TRAILER_BYTES;

/** The bytes of the content in a file of `bytes` bytes; negative if a blob cannot have that many. */
export function contentBytesOf(bytes: number): number {
  const blocks = Math.ceil((bytes - TRAILER_BYTES) / (BLOCK_BYTES + CHECKSUM_BYTES));
  return bytes - TRAILER_BYTES - blocks * CHECKSUM_BYTES;
}

/** Computes the checksums of a content that is given in chunks of any size. */
export class BlockChecksums {
  #size = 0;
  #current = 0;
  readonly #complete: number[] = [];

  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const inBlock = this.#size % BLOCK_BYTES;
      const end = Math.min(chunk.length, at + BLOCK_BYTES - inBlock);
      this.#current = crc32c(chunk.subarray(at, end), this.#current);
      this.#size += end - at;
      at = end;
      if (this.#size % BLOCK_BYTES === 0) this.#endBlock();
    }
  }

  /** The bytes to write after the content; call it once, at the end. */
  footer(): Buffer {
    if (this.#size % BLOCK_BYTES !== 0) this.#endBlock();
    const footer = Buffer.alloc(footerBytesOf(this.#size));
    for (const [block, checksum] of this.#complete.entries()) footer.writeUInt32LE(checksum, block * CHECKSUM_BYTES);
    const trailer = footer.subarray(-TRAILER_BYTES);
    MARK.copy(trailer);
    trailer[4] = VERSION;
    trailer[5] = Math.log2(BLOCK_BYTES);
    trailer.writeBigUInt64LE(BigInt(this.#size), 8);
    trailer.writeUInt32LE(crc32c(footer.subarray(0, -CHECKSUM_BYTES)), 16);
    return footer;
  }

  #endBlock(): void {
    this.#complete.push(this.#current);
    this.#current = 0;
  }
}

/** What is wrong with the bytes after the content of a blob of `size` bytes; undefined if they are right. */
export function footerDamage(footer: Buffer, size: number): string | undefined {
  const trailer = footer.subarray(-TRAILER_BYTES);
  if (footer.length !== footerBytesOf(size)) return "the file is too short";
  if (!trailer.subarray(0, 4).equals(MARK)) return "the mark of the format is missing";
  if (trailer.readUInt32LE(16) !== crc32c(footer.subarray(0, -CHECKSUM_BYTES))) return "its checksums are damaged";
  if (trailer[4] !== VERSION || trailer[5] !== Math.log2(BLOCK_BYTES)) return "the version of its format is unknown";
  if (trailer.readBigUInt64LE(8) !== BigInt(size)) return "it has another size";
  return undefined;
}

/** The first block of `content`, whose first byte is the first of `firstBlock`, that has another checksum. */
export function findDamagedBlock(content: Buffer, firstBlock: number, footer: Buffer): number | undefined {
  for (let at = 0, block = firstBlock; at < content.length; at += BLOCK_BYTES, block++) {
    const checksum = crc32c(content.subarray(at, at + BLOCK_BYTES));
    if (checksum !== footer.readUInt32LE(block * CHECKSUM_BYTES)) return block;
  }
  return undefined;
}
