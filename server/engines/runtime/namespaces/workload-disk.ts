import { mkdir, open, stat, truncate } from "node:fs/promises";
import path from "node:path";
import { exists } from "../../file-failures";
import { runProgram } from "../../programs/run-program";
import { deleteFolder } from "./delete-folder";
import { DISK_BYTES_MIN } from "./program-of";
import type { WorkloadFolder } from "./workload-folder";

/** A folder with a file system in the file `disk`, which is mounted on `data`. */
export interface DiskFolder {
  dir: string;
  file(name: "disk" | "data"): string;
}

/** The file is sparse: this is no reservation. */
export const DISK_BYTES_DEFAULT = 10 * 1024 ** 3;
/** Of a journal; without a size it would take 64 MiB or more of each disk. */
const JOURNAL_MIB = 16;
/** Smaller disks have the journal that ext4 chooses for them. */
const JOURNALED_BYTES_MIN = 128 * 1024 ** 2;
/** Tables and journal are written when they are used; no blocks are kept for the root user. */
const FORMAT = ["-q", "-F", "-m", "0", "-E", "lazy_itable_init=1,lazy_journal_init=1,nodiscard"];

const DELETE_TRIES = 3;

/** Makes a file system of limited size in a file and mounts it. */
export async function makeDisk(folder: DiskFolder, bytes: number): Promise<void> {
  const disk = folder.file("disk");
  const file = await open(disk, "wx", 0o600);
  try {
    await file.truncate(bytes);
  } finally {
    await file.close();
  }
  await mkdir(folder.file("data"), { recursive: true });
  const journal = bytes < JOURNALED_BYTES_MIN ? [] : ["-J", `size=${JOURNAL_MIB}`];
  await runProgram("mkfs.ext4", [...FORMAT, ...journal, disk]);
  await attachDisk(folder);
}

/** Mounts the disk of a folder if it has one: after a restart of the node it is not mounted. */
export async function attachDisk(folder: DiskFolder): Promise<void> {
  const [disk, data] = [folder.file("disk"), folder.file("data")];
  if (!(await exists(disk)) || (await isMounted(folder))) return;
  // A process that was killed may have left a program that makes it larger.
  await runProgram("flock", [disk, "sh", "-c", MOUNT, disk, data]);
}

/**
 * A workload may still have the disk: then its device is mounted here too, because a second device for the same file
 * would damage the file system.
 */
const MOUNT = `device=$(losetup -n -O NAME --associated "$0" | head -n 1)
[ -n "$device" ] && mount -t ext4 -o nosuid,nodev "$device" "$1" 2>&1 && exit
exec mount -t ext4 -o loop,nosuid,nodev "$0" "$1"`;

/**
 * Unmounts the disk of a folder here; the kernel frees its device when no workload has it any more. false: something reads
 * it, and it stays mounted.
 */
export async function detachDisk(folder: DiskFolder): Promise<boolean> {
  return !(await isMounted(folder)) || succeeds("umount", [folder.file("data")]);
}

/**
 * Makes a mounted disk larger: while it is used where the kernel permits that, else while nothing uses it. false: something
 * does. A repetition ends what an interrupted call began.
 */
export async function growDisk(folder: DiskFolder, bytes: number): Promise<boolean> {
  const [disk, data] = [folder.file("disk"), folder.file("data")];
  if ((await stat(disk)).size < bytes) await truncate(disk, bytes);
  const device = (await runProgram("findmnt", ["-n", "-o", "SOURCE", "--mountpoint", data])).toString("utf8").trim();
  await runProgram("losetup", ["--set-capacity", device]);
  if (await succeeds("resize2fs", [device])) return true;
  if (!(await succeeds("umount", [data]))) return false;
  // Workloads have mounts of their own; a file system that is mounted would be damaged.
  if ((await runProgram("losetup", ["--associated", disk])).toString("utf8").trim() !== "") {
    await runProgram("mount", ["-t", "ext4", "-o", "nosuid,nodev", device, data]);
    return false;
  }
  await runProgram("flock", [disk, "sh", "-c", 'e2fsck -f -p "$0" && resize2fs "$0"', disk]);
  await attachDisk(folder);
  return true;
}

/** Writes everything to the disk of the node. */
export const syncDisk = (folder: DiskFolder): Promise<unknown> => runProgram("sync", ["-f", folder.file("data")]);

/** Deletes a folder with its disk, which nothing uses. */
export async function deleteDisk(folder: DiskFolder): Promise<void> {
  for (let left = DELETE_TRIES; ; ) {
    // A snapshot may still be read; the kernel frees the disk when its last file is closed.
    if (await isMounted(folder)) await runProgram("umount", ["--lazy", folder.file("data")]);
    try {
      await deleteFolder(folder.dir);
      return;
    } catch (cause) {
      // A process that was killed may have left a program that has mounted it meanwhile.
      if (--left === 0 || !(await isMounted(folder))) throw cause;
    }
  }
}

/** A sentence on why disks of limited size cannot be used; undefined if a trial succeeds. */
export async function probeDisk(folder: WorkloadFolder): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "limits of the disk are not enforced: only the root user can mount disks";
  try {
    await mkdir(folder.dir, { recursive: true, mode: 0o700 });
    await makeDisk(folder, DISK_BYTES_MIN);
    return undefined;
  } catch (cause) {
    return `limits of the disk are not enforced: ${cause instanceof Error ? cause.message.trim() : String(cause)}`;
  } finally {
    await deleteDisk(folder);
  }
}

const succeeds = (program: string, args: readonly string[]): Promise<boolean> =>
  runProgram(program, args).then(
    () => true,
    () => false,
  );

/** Whether the disk of a folder is mounted here. */
export const isMounted = (folder: DiskFolder): Promise<boolean> => isMountPoint(folder.file("data"));

/** Whether something is mounted on a path, which need not exist. */
export async function isMountPoint(file: string): Promise<boolean> {
  if (!(await exists(file))) return false;
  const [own, above] = await Promise.all([stat(file), stat(path.dirname(file))]);
  return own.dev !== above.dev;
}
