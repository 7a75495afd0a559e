import { readFile, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { exists } from "../../file-failures";
import { limitDisk } from "./disk-throughput";
import { type DiskFolder, isMounted } from "./workload-disk";

const STAT_BLOCK_BYTES = 512;

/** The files of one volume. */
export class VolumeFolder implements DiskFolder {
  constructor(readonly dir: string) {}

  file(name: "disk" | "data" | "complete" | "limit"): string {
    return path.join(this.dir, name);
  }

  /** Not the root of the file system, which has a folder of its own; it exists only while the disk is mounted. */
  get files(): string {
    return path.join(this.file("data"), "files");
  }

  isComplete(): Promise<boolean> {
    return exists(this.file("complete"));
  }
}

/** Whether the kernel enforces the limit of a mounted volume; true if it has none. */
export async function applyLimit(folder: VolumeFolder): Promise<boolean> {
  if (!(await exists(folder.file("limit")))) return true;
  return limitDisk(folder, Number(await readFile(folder.file("limit"), "utf8")));
}

/** Before it is unmounted: another disk may have its device then. */
export async function endLimit(folder: VolumeFolder): Promise<void> {
  if ((await exists(folder.file("limit"))) && (await isMounted(folder))) await limitDisk(folder, 0);
}

/** Of the disk that has a folder. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** Of a sparse file: what it has room for, and what it takes of the disk. */
export type FileSize = Record<"size" | "taken", number>;

export async function sizeOf(file: string): Promise<FileSize> {
  return stat(file).then(
    ({ size, blocks }) => ({ size, taken: blocks * STAT_BLOCK_BYTES }),
    () => ({ size: 0, taken: 0 }),
  );
}
