import { GetObjectCommand } from "@aws-sdk/client-s3";
import { blobDamaged, blobMissing } from "./blob-errors";
import type { BlobRange } from "./blob-store";
import { BLOCK_BYTES, findDamagedBlock, footerBytesOf, footerDamage } from "./block-checksums";
import { isInvalidRange, isNotFound, keyOf, type S3Place, storeUnavailable } from "./s3-client";

interface Reading {
  name: string;
  size: number;
  range: BlobRange;
}

/** Yields the range of a blob's content; only verified bytes, in chunks of at most 256 KiB. */
export async function* readS3Content(place: S3Place, { name, size, range }: Reading): AsyncIterable<Uint8Array> {
  const first = Math.floor(range.start / BLOCK_BYTES) * BLOCK_BYTES;
  const last = Math.min(size, Math.ceil(range.end / BLOCK_BYTES) * BLOCK_BYTES);
  const end = size + footerBytesOf(size);
  // The answer to one request is enough if the checksums are in it.
  const isShort = size - first <= BLOCK_BYTES;
  const tail = await readWhole(place, { name, start: isShort ? first : size, end });
  const footer = tail.subarray(isShort ? Math.max(0, size - first) : 0);
  const damage = footerDamage(footer, size);
  if (damage !== undefined) throw blobDamaged(name, damage);
  if (first >= last) return;
  const blocks = isShort ? [tail.subarray(0, last - first)] : readBlocks(place, { name, start: first, end: last });
  let at = first;
  for await (const block of blocks) {
    if (findDamagedBlock(block, at / BLOCK_BYTES, footer) !== undefined) {
      throw blobDamaged(name, `block ${at / BLOCK_BYTES} has another checksum`);
    }
    yield block.subarray(Math.max(0, range.start - at), Math.min(at + block.length, range.end) - at);
    at += block.length;
  }
}

interface Bytes extends BlobRange {
  name: string;
}

async function readWhole(place: S3Place, bytes: Bytes): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of readBlocks(place, bytes)) blocks.push(block);
  return Buffer.concat(blocks);
}

/** Yields buffers of 256 KiB and a shorter last one. */
async function* readBlocks(place: S3Place, bytes: Bytes): AsyncIterable<Buffer> {
  const length = bytes.end - bytes.start;
  let block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, length));
  let filled = 0;
  let yielded = 0;
  for await (const chunk of chunksOf(place, bytes)) {
    for (let rest = chunk; rest.length > 0; ) {
      const taken = Math.min(rest.length, block.length - filled);
      if (taken === 0) throw blobDamaged(bytes.name, "the object store returned more than was asked for");
      block.set(rest.subarray(0, taken), filled);
      filled += taken;
      rest = rest.subarray(taken);
      if (filled < block.length) continue;
      yielded += filled;
      yield block;
      block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, length - yielded));
      filled = 0;
    }
  }
  if (yielded < length) throw storeUnavailable(new Error(`The object store sent only a part of ${bytes.name}.`));
}

async function* chunksOf(place: S3Place, bytes: Bytes): AsyncIterable<Uint8Array> {
  const ended = new AbortController();
  const body = await openRange(place, bytes, ended.signal);
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextWithin(chunks, place.timeouts.idleMs);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    ended.abort();
    body.destroy();
  }
}

async function openRange({ client, bucket }: S3Place, { name, start, end }: Bytes, abortSignal: AbortSignal) {
  const input = { Bucket: bucket, Key: keyOf(name), Range: `bytes=${start}-${end - 1}` };
  try {
    const { Body, ContentLength } = await client.send(new GetObjectCommand(input), { abortSignal });
    if (!Body || !("destroy" in Body)) throw new Error("The object store returned no body.");
    // Errors reach the reader; one that comes after the reading is ignored.
    Body.on("error", () => undefined);
    if (ContentLength === end - start) return Body;
    Body.destroy();
  } catch (failure) {
    if (isNotFound(failure)) throw blobMissing(name, failure);
    if (!isInvalidRange(failure)) throw storeUnavailable(failure);
  }
  throw blobDamaged(name, "it has another size in the object store");
}

/** The next chunk; the time in which the client takes the one before does not count. */
async function nextWithin(chunks: AsyncIterator<Uint8Array>, limitMs: number): Promise<IteratorResult<Uint8Array>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The object store sent nothing for ${limitMs} ms.`)), limitMs);
  });
  try {
    return await Promise.race([chunks.next(), late]);
  } catch (failure) {
    throw storeUnavailable(failure);
  } finally {
    clearTimeout(timer);
  }
}
