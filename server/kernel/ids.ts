import { randomBytes, randomFillSync } from "node:crypto";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const RANDOM_POOL_BYTES = 16_384;
const pool = Buffer.allocUnsafe(RANDOM_POOL_BYTES);
let poolAt = RANDOM_POOL_BYTES;

/** A UUID version 7 (RFC 9562 section 5.7): 48 bits of `ms` since 1970, then 74 random bits. */
export function uuidv7(ms: number): string {
  const at = takeRandom(10);
  return uuidv7Of(ms, pool.toString("hex", at, at + 10));
}

/** A UUID version 7 with the given 20 hexadecimal digits in place of random ones; 6 of their bits are not used. */
export function uuidv7Of(ms: number, hex: string): string {
  const time = ms.toString(16).padStart(12, "0");
  const variant = (8 + (Number.parseInt(hex.charAt(3), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** The time in a UUID version 7, in milliseconds since 1970. */
export const uuidv7Ms = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** The smallest UUID version 7 of a point in time: the lower bound of a partition or of a range scan. */
export function uuidv7Floor(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** A resource id such as `chn_…`: the prefix of its noun and 26 characters that sort by creation time. */
export function newId(prefix: string, ms: number): string {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(ms, 0, 6);
  const at = takeRandom(10);
  pool.copy(bytes, 6, at, at + 10);
  return `${prefix}_${sortable32(bytes)}`;
}

/** The lowest id of a point in time: the lower bound of a range of ids that `newId` made. */
export function idFloor(prefix: string, ms: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(ms, 0, 6);
  return `${prefix}_${sortable32(bytes)}`;
}

/** `length` random characters of `[a-z2-7]`, 5 bits each. */
export function randomBase32(length: number): string {
  let text = "";
  for (const byte of randomBytes(length)) text += BASE32.charAt(byte & 31);
  return text;
}

/** Bytes in base 32, `[a-z2-7]`, without the bits after the last whole digit. */
export const base32Of = (bytes: Buffer): string => digits32(bytes, BASE32, 0);

const SORTABLE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Base 32 whose digits are in ASCII order, so that text order is byte order; 16 bytes give 26 characters, which have two
 * bits more.
 */
const sortable32 = (bytes: Buffer): string => digits32(bytes, SORTABLE32, 2);

/** The digits of bytes, 5 bits each, after some bits that are 0. */
function digits32(bytes: Buffer, alphabet: string, bitsBefore: number): string {
  let text = "";
  let [held, bits] = [0, bitsBefore];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((held >> (bits - 5)) & 31);
  }
  return text;
}

/** The offset of `count` unused random bytes in the pool: one system call serves a thousand ids. */
function takeRandom(count: number): number {
  if (poolAt + count > RANDOM_POOL_BYTES) {
    randomFillSync(pool);
    poolAt = 0;
  }
  poolAt += count;
  return poolAt - count;
}
