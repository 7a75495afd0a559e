import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import { blobDamaged } from "./blob-errors";
import type { BlobRange } from "./blob-store";
import { cutChunks } from "./cut-chunks";

/**
 * The layout of a packed content, version 1; numbers are little-endian:
 *
 *   blocks     each 1 MiB of the content (the last one may be shorter), compressed with Brotli where that is smaller
 *   index      4 bytes for each block: its stored length, plus 2³¹ if it is compressed
 *   mark       4 bytes "svcP"
 *   version    1 byte: 1
 *   reserved   3 bytes: 0
 *
 * Blocks do not depend on each other, so a range costs what its own blocks cost.
 */
export const PACK_BYTES = 2 ** 20;

const [compress, decompress] = [promisify(brotliCompress), promisify(brotliDecompress)];
const COMPRESSED = 2 ** 31;
const LENGTH_BYTES = 4;
const MARK = Buffer.from([...Buffer.from("svcP"), 1, 0, 0, 0]);

/** Packs a content in constant memory. */
export async function* packContent(body: AsyncIterable<Uint8Array>, quality: number): AsyncIterable<Uint8Array> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: Math.log2(PACK_BYTES) };
  const lengths: number[] = [];
  for await (const block of cutChunks(body, () => PACK_BYTES)) {
    const compressed = await compress(block, { params });
    const isSmaller = compressed.length < block.length;
    lengths.push(isSmaller ? compressed.length + COMPRESSED : block.length);
    yield isSmaller ? compressed : block;
  }
  const index = Buffer.alloc(lengths.length * LENGTH_BYTES);
  for (const [block, length] of lengths.entries()) index.writeUInt32LE(length, block * LENGTH_BYTES);
  yield Buffer.concat([index, MARK]);
}

export interface PackedBlob {
  name: string;
  /** Bytes of the content, and of what is stored of it. */
  size: number;
  packedSize: number;
  /** Reads a range of what is stored. */
  read: (range: BlobRange) => AsyncIterable<Uint8Array>;
}

/** Yields a range of the content of a packed blob, in chunks of at most 1 MiB. */
export async function* unpackContent(blob: PackedBlob, range: BlobRange): AsyncIterable<Uint8Array> {
  const blocks = await readIndex(blob);
  const [first, last] = [Math.floor(range.start / PACK_BYTES), Math.ceil(range.end / PACK_BYTES)];
  const wanted = blocks.slice(first, last);
  if (range.start === range.end) return;
  const start = sum(blocks.slice(0, first));
  let block = first;
  const pieces = blob.read({ start, end: start + sum(wanted) });
  // The index was checked: what is read is exactly the wanted blocks.
  for await (const bytes of cutChunks(pieces, (piece) => wanted[piece]?.length ?? PACK_BYTES)) {
    const at = block * PACK_BYTES;
    const content = await unpackBlock(blob, bytes, blocks[block]?.isCompressed === true);
    if (content.length !== Math.min(PACK_BYTES, blob.size - at)) {
      throw blobDamaged(blob.name, `packed block ${block} has another size`);
    }
    yield content.subarray(Math.max(0, range.start - at), Math.min(content.length, range.end - at));
    block++;
  }
}

interface Block {
  length: number;
  isCompressed: boolean;
}

async function readIndex({ name, size, packedSize, read }: PackedBlob): Promise<Block[]> {
  const indexBytes = Math.ceil(size / PACK_BYTES) * LENGTH_BYTES;
  const start = packedSize - indexBytes - MARK.length;
  if (start < 0) throw blobDamaged(name, "it is too short for its index");
  const chunks: Uint8Array[] = [];
  for await (const chunk of read({ start, end: packedSize })) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (!bytes.subarray(indexBytes).equals(MARK)) throw blobDamaged(name, "the mark of the packed format is missing");
  const blocks = Array.from({ length: indexBytes / LENGTH_BYTES }, (_, block) => {
    const length = bytes.readUInt32LE(block * LENGTH_BYTES);
    return { length: length % COMPRESSED, isCompressed: length >= COMPRESSED };
  });
  const isSound = blocks.every(({ length }) => length > 0 && length <= PACK_BYTES) && sum(blocks) === start;
  if (!isSound) throw blobDamaged(name, "its index does not match its blocks");
  return blocks;
}

async function unpackBlock({ name }: PackedBlob, bytes: Buffer, isCompressed: boolean): Promise<Buffer> {
  if (!isCompressed) return bytes;
  try {
    return await decompress(bytes, { maxOutputLength: PACK_BYTES });
  } catch {
    throw blobDamaged(name, "a packed block cannot be decompressed");
  }
}

const sum = (blocks: readonly Block[]): number => blocks.reduce((total, { length }) => total + length, 0);
