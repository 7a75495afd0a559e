import { createHash } from "node:crypto";

export interface ChunkSizes {
  /** Bytes; the last chunk may be smaller. */
  min: number;
  /** The size around which most are. A power of 2. */
  normal: number;
  max: number;
}

const KIB = 1024;
const CHUNK_SIZES: ChunkSizes = { min: 256 * KIB, normal: 1024 * KIB, max: 4096 * KIB };
/** The paper's "normalization level": how many more bits must be zero before `normal`, and fewer after it. */
const NORMALIZATION = 2;
const WORD_BITS = 32;
/** Random numbers that must never change: a checkpoint would share no chunk with the ones before. */
const GEAR = Int32Array.from({ length: 256 }, (_, byte) =>
  createHash("sha256").update(`gear ${byte}`).digest().readInt32LE(),
);

/**
 * Cuts a stream where its content says so: where the bytes before are the same, so is the cut, however much was inserted
 * or deleted further ahead. FastCDC: gear hash, normalized chunking and the skipped minimum (W. Xia et al., "FastCDC: a
 * Fast and Efficient Content-Defined Chunking Approach for Data Deduplication", USENIX ATC 2016). Holds one largest chunk.
 */
export async function* cutChunks(
  stream: AsyncIterable<Uint8Array>,
  sizes: ChunkSizes = CHUNK_SIZES,
): AsyncIterable<Buffer> {
  const held = Buffer.allocUnsafe(sizes.max);
  let length = 0;
  const cut = (): Buffer => {
    const end = cutPoint(held.subarray(0, length), sizes);
    const chunk = Buffer.from(held.subarray(0, end));
    held.copyWithin(0, end, length);
    length -= end;
    return chunk;
  };
  for await (const part of stream) {
    for (let at = 0; at < part.length; ) {
      const taken = Math.min(part.length - at, sizes.max - length);
      held.set(part.subarray(at, at + taken), length);
      [at, length] = [at + taken, length + taken];
      if (length === sizes.max) yield cut();
    }
  }
  while (length > 0) yield cut();
}

/** How many of these bytes, which are `max` or the last ones, are the first chunk. */
function cutPoint(bytes: Buffer, { min, normal }: ChunkSizes): number {
  if (bytes.length <= min) return bytes.length;
  const bits = Math.log2(normal);
  const [strict, loose] = [maskOf(bits + NORMALIZATION), maskOf(bits - NORMALIZATION)];
  const middle = Math.min(normal, bytes.length);
  let hash = 0;
  let at = min;
  for (; at < middle; at++) {
    hash = (hash << 1) + (GEAR[bytes[at] as number] as number);
    if ((hash & strict) === 0) return at + 1;
  }
  for (; at < bytes.length; at++) {
    hash = (hash << 1) + (GEAR[bytes[at] as number] as number);
    if ((hash & loose) === 0) return at + 1;
  }
  return bytes.length;
}

/** The highest bits, which depend on the most bytes. */
const maskOf = (bits: number): number => -1 << (WORD_BITS - bits);
