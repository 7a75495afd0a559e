import { opendir, readdir, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../file-failures";
import { isBlobName } from "./blob-name";

const BATCH = 1000;

interface Age {
  /** undefined: whatever the age, and no folder is removed. */
  olderThan: Date | undefined;
}

/**
 * Yields the names of all blobs below `root` that were created before `olderThan`, in batches, and removes folders that
 * have been empty since then. The time is the inode's: unlike that of the content, it cannot be older than the name.
 */
export async function* walkBlobs(root: string, { olderThan }: Age): AsyncIterable<readonly string[]> {
  for (const tenant of await namesIn(root)) {
    for (const bucket of await namesIn(path.join(root, tenant))) {
      const dir = path.join(root, tenant, bucket);
      for (const hash of await namesIn(dir)) {
        yield* walkFolder(path.join(dir, hash), { prefix: `${tenant}/${bucket}/`, olderThan });
      }
      await removeEmpty(dir, olderThan);
    }
    await removeEmpty(path.join(root, tenant), olderThan);
  }
}

async function* walkFolder(dir: string, { prefix, olderThan }: Age & { prefix: string }) {
  let batch: string[] = [];
  try {
    for await (const { name } of await opendir(dir, { bufferSize: BATCH })) {
      batch.push(name);
      if (batch.length < BATCH) continue;
      yield await olderOf(batch, { dir, prefix, olderThan });
      batch = [];
    }
  } catch (failure) {
    if (codeOf(failure) !== "ENOENT" && codeOf(failure) !== "ENOTDIR") throw failure;
  }
  if (batch.length > 0) yield await olderOf(batch, { dir, prefix, olderThan });
  else await removeEmpty(dir, olderThan);
}

async function olderOf(
  names: readonly string[],
  { dir, prefix, olderThan }: Age & { dir: string; prefix: string },
): Promise<string[]> {
  if (!olderThan) return names.map((name) => prefix + name).filter(isBlobName);
  const found = await Promise.all(
    names.map(async (name) => {
      const { ctimeMs } = await stat(path.join(dir, name)).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }));
      return ctimeMs < olderThan.getTime() && isBlobName(prefix + name) ? [prefix + name] : [];
    }),
  );
  return found.flat();
}

/** Folders whose names begin with a dot are not of tenants. */
async function namesIn(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).filter((name) => !name.startsWith("."));
  } catch (failure) {
    if (codeOf(failure) === "ENOENT" || codeOf(failure) === "ENOTDIR") return [];
    throw failure;
  }
}

/** A folder that has just been created is about to get a file. */
async function removeEmpty(dir: string, olderThan: Date | undefined): Promise<void> {
  if (!olderThan) return;
  const { mtimeMs } = await stat(dir).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  if (mtimeMs < olderThan.getTime()) await rmdir(dir).catch(() => undefined);
}
