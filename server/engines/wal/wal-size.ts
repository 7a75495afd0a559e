import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { freeBytesOf } from "../data-dir";

const MIB = 1 << 20;
const SHARE_OF_DISK = 0.25;
const BYTES_MIN = 64 * MIB;
const BYTES_MAX = 16 * 1024 * MIB;

/**
 * How many bytes may wait in the write-ahead file of `dir` by default: a quarter of the space that is free or already
 * used by the file, at least 64 MiB and at most 16 GiB. The rest is left to the engines on the same disk.
 */
export async function defaultWaitingBytesMax(dir: string): Promise<number> {
  return shareOf((await freeBytesOf(await nearestFolder(dir))) + (await bytesIn(dir)));
}

/** The share of this many bytes, within its bounds. */
export const shareOf = (bytes: number): number =>
  Math.min(BYTES_MAX, Math.max(BYTES_MIN, Math.floor(bytes * SHARE_OF_DISK)));

async function nearestFolder(dir: string): Promise<string> {
  const exists = await stat(dir).then(
    () => true,
    () => false,
  );
  return exists || dir === path.dirname(dir) ? dir : nearestFolder(path.dirname(dir));
}

async function bytesIn(dir: string): Promise<number> {
  const names = await readdir(dir).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(dir, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
