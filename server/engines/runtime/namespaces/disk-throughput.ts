import { stat, writeFile } from "node:fs/promises";
import type { DiskFolder } from "./workload-disk";

const ROOT = "/sys/fs/cgroup/blkio";
const FILES = ["blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device"];

/**
 * Limits what a mounted disk reads, and what it writes, in a second; 0: no limit. false: this kernel does not. At the root
 * of the hierarchy, because version 1 of control groups counts what is written later as written there.
 */
export async function limitDisk(folder: DiskFolder, bytesPerSecond: number): Promise<boolean> {
  const { dev } = await stat(folder.file("data"));
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
  try {
    for (const file of FILES) await writeFile(`${ROOT}/${file}`, `${major}:${minor} ${bytesPerSecond}`, { flag: "r+" });
    return true;
  } catch {
    return false;
  }
}
