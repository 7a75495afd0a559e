import { promisify } from "node:util";
import zlib from "node:zlib";
import { CheckpointFailure } from "./checkpoint";

interface EncodedChunk {
  codec: string;
  bytes: Buffer;
}

const gzip = promisify(zlib.gzip);
const gunzip = promisify(zlib.gunzip);
// Node has it from 22.15 on.
const zstd = zlib.zstdCompress ? promisify(zlib.zstdCompress) : undefined;
const unzstd = zlib.zstdDecompress ? promisify(zlib.zstdDecompress) : undefined;

/** Compresses a chunk with Zstandard, or gzip where Node lacks that; what does not become smaller stays as it is. */
export async function encodeChunk(chunk: Buffer): Promise<EncodedChunk> {
  const encoded: EncodedChunk = zstd
    ? { codec: "zstd", bytes: await zstd(chunk) }
    : { codec: "gzip", bytes: await gzip(chunk, { level: 1 }) };
  return encoded.bytes.length < chunk.length ? encoded : { codec: "none", bytes: chunk };
}

/** The chunk again, of `size` bytes at most. Throws CheckpointFailure if Node cannot read it, and zlib's errors for damage. */
export async function decodeChunk({ codec, bytes }: EncodedChunk, size: number): Promise<Buffer> {
  const limit = { maxOutputLength: Math.max(1, size) };
  if (codec === "none") return bytes;
  if (codec === "gzip") return gunzip(bytes, limit);
  if (codec === "zstd" && unzstd) return unzstd(bytes, limit);
  throw new CheckpointFailure(
    "codec_unknown",
    `The checkpoint is compressed with ${codec}, which this version of Node cannot read; it needs Node 22.15 or newer.`,
  );
}
