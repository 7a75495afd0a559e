import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { CHECKPOINT_FILE, readCheckpoint } from "../../engines/wal/checkpoint";
import { syncFolder } from "../../engines/wal/sync-folder";
import type { FileEntry } from "./manifest";

const VOLUME = /^(telemetry-)?\d+$/;
const SEGMENT = /^\d{12}\.log$/;
const NEWLINE = 10;

/** The delivery progress of each volume of a data directory, as text that changes when any of them advances. */
export async function deliveryState(dataDir: string): Promise<{ text: string; isDelivered: boolean }> {
  const checkpoints = [];
  for (const name of await volumesOf(dataDir)) {
    const checkpoint = await readCheckpoint(path.join(walOf(dataDir), name));
    if (checkpoint) checkpoints.push({ name, ...checkpoint });
  }
  const isDelivered = checkpoints.every(({ slices }) => slices.every(({ acked }) => acked));
  return { text: JSON.stringify(checkpoints), isDelivered };
}

/** Copies the durable content of all volumes; entries that their processes append later are not included. */
export async function copyWalOut(dataDir: string, folder: string): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for (const volume of await volumesOf(dataDir)) {
    const dir = path.join(walOf(dataDir), volume);
    const names = await readdir(dir);
    for (const name of names.filter((each) => SEGMENT.test(each) || each === CHECKPOINT_FILE).sort()) {
      const content = await readFile(path.join(dir, name));
      const whole = name === CHECKPOINT_FILE ? content : content.subarray(0, content.lastIndexOf(NEWLINE) + 1);
      entries.push(await write(folder, `wal/${volume}/${name}`, whole));
    }
  }
  return entries;
}

/** Copies the volumes into a data directory without any; svc delivers them when it starts. */
export async function copyWalIn(
  entries: readonly FileEntry[],
  { folder, dataDir }: { folder: string; dataDir: string },
) {
  for (const { file } of entries) await write(dataDir, file, await readFile(path.join(folder, file)));
}

export const hasWal = async (dataDir: string): Promise<boolean> => (await volumesOf(dataDir)).length > 0;

export const removeWal = (dataDir: string): Promise<void> => rm(walOf(dataDir), { recursive: true, force: true });

const walOf = (dataDir: string): string => path.join(dataDir, "wal");

async function volumesOf(dataDir: string): Promise<string[]> {
  const names = await readdir(walOf(dataDir)).catch(() => []);
  return names.filter((name) => VOLUME.test(name)).sort();
}

async function write(root: string, file: string, content: Uint8Array): Promise<FileEntry> {
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const handle = await open(target, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(path.dirname(target));
  return { file, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}
