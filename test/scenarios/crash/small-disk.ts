import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const CHUNK = Buffer.alloc(1 << 20, 1);

export interface SmallDisk {
  /** A folder on a file system of its own; an ordinary folder where `isLimited` is false. */
  dir: string;
  /** Only root may mount a file system, and not in every container: without one, `fill` must not be called. */
  isLimited: boolean;
  /** Takes every byte that is left, and again what was freed meanwhile. */
  fill(): void;
  /** Gives the space that `fill` took back. */
  free(): void;
  remove(): void;
}

export function makeSmallDisk(megabytes: number): SmallDisk {
  const dir = mkdtempSync(path.join(os.tmpdir(), "svc-small-disk-"));
  const isLimited = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", dir]).status === 0;
  const filler = path.join(dir, "filler");
  return {
    dir,
    isLimited,
    fill: () => writeUntilFull(filler),
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      if (isLimited) execFileSync("umount", ["-l", dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(filler: string): void {
  const file = openSync(filler, "a");
  try {
    for (let chunk = CHUNK; chunk.length > 0; ) {
      try {
        while (writeSync(file, chunk) === chunk.length);
      } catch {
        // Full for a piece of this size.
      }
      chunk = chunk.subarray(0, chunk.length >> 1);
    }
  } finally {
    closeSync(file);
  }
}
