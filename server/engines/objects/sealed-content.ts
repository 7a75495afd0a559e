import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { blobDamaged } from "./blob-errors";
import type { BlobRange } from "./blob-store";
import { cutChunks } from "./cut-chunks";

/**
 * The layout of an encrypted content, version 1:
 *
 *   salt      32 random bytes, with which the key of this blob is derived from that of its object
 *   blocks    each 64 KiB of the content (the last one may be shorter), encrypted with AES-256-GCM, and its tag of 16 bytes
 *
 * The nonce of a block is its number, so blocks cannot be exchanged, and a range costs what its own blocks cost. How many
 * there are is known from the size of the content.
 */
const SALT_BYTES = 32;
const BLOCK_BYTES = 2 ** 16;
const TAG_BYTES = 16;
const SEALED_BLOCK_BYTES = BLOCK_BYTES + TAG_BYTES;
const NONCE_BYTES = 12;
/** Of a data key, in bytes. */
export const DATA_KEY_BYTES = 32;

/** The bytes that are stored for a content of a size. */
export const sealedSize = (size: number): number => SALT_BYTES + size + Math.ceil(size / BLOCK_BYTES) * TAG_BYTES;

/** Encrypts a content in constant memory. */
export async function* sealContent(body: AsyncIterable<Uint8Array>, dataKey: Buffer): AsyncIterable<Uint8Array> {
  const salt = randomBytes(SALT_BYTES);
  const key = blobKey(dataKey, salt);
  yield salt;
  let block = 0;
  for await (const bytes of cutChunks(body, () => BLOCK_BYTES)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(block++));
    const sealed = cipher.update(bytes);
    cipher.final();
    yield sealed;
    yield cipher.getAuthTag();
  }
}

export interface SealedBlob {
  name: string;
  /** Bytes of the content. */
  size: number;
  dataKey: Buffer;
  /** Reads a range of what is stored. */
  read: (range: BlobRange) => AsyncIterable<Uint8Array>;
}

/** Yields a range of the content of an encrypted blob; only what its tags authenticate. */
export async function* openContent(
  { name, size, dataKey, read }: SealedBlob,
  range: BlobRange,
): AsyncIterable<Uint8Array> {
  if (range.start >= range.end) return;
  const [first, last] = [Math.floor(range.start / BLOCK_BYTES), Math.ceil(range.end / BLOCK_BYTES)];
  const start = SALT_BYTES + first * SEALED_BLOCK_BYTES;
  const end = Math.min(sealedSize(size), SALT_BYTES + last * SEALED_BLOCK_BYTES);
  const stored =
    first === 0 ? read({ start: 0, end }) : joined(read({ start: 0, end: SALT_BYTES }), read({ start, end }));
  let key: Buffer | undefined;
  let block = first;
  for await (const bytes of cutChunks(stored, (piece) => (piece === 0 ? SALT_BYTES : SEALED_BLOCK_BYTES))) {
    if (!key) {
      key = blobKey(dataKey, bytes);
      continue;
    }
    const at = block * BLOCK_BYTES;
    const content = openBlock({ key, block, bytes });
    if (content?.length !== Math.min(BLOCK_BYTES, size - at)) {
      throw blobDamaged(name, `encrypted block ${block} is not what was stored`);
    }
    yield content.subarray(Math.max(0, range.start - at), Math.min(content.length, range.end - at));
    block++;
  }
}

function openBlock({ key, block, bytes }: { key: Buffer; block: number; bytes: Buffer }): Buffer | undefined {
  if (bytes.length <= TAG_BYTES) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(block));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const content = decipher.update(bytes.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
    return content;
  } catch {
    return undefined;
  }
}

const blobKey = (dataKey: Buffer, salt: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", dataKey, salt, "blob", DATA_KEY_BYTES));

function nonceOf(block: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(block, NONCE_BYTES - 6, 6);
  return nonce;
}

async function* joined(...all: readonly AsyncIterable<Uint8Array>[]): AsyncIterable<Uint8Array> {
  for (const each of all) yield* each;
}
