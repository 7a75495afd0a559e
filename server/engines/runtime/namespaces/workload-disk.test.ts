import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { DISK_BYTES_MIN } from "./program-of";
import { deleteDisk, makeDisk, probeDisk } from "./workload-disk";
import { WorkloadFolder } from "./workload-folder";

const base = mkdtempSync(path.join(os.tmpdir(), "svc-disk-"));
const missing = await probeDisk(new WorkloadFolder(path.join(base, "probe")));

it.skipIf(missing !== undefined)(
  `a disk is deleted although something is mounted when it was unmounted${missing ? ` (skipped: ${missing})` : ""}`,
  async () => {
    const folder = new WorkloadFolder(path.join(base, "twice"));
    mkdirSync(folder.dir);
    await makeDisk(folder, DISK_BYTES_MIN);
    // As what a killed process has left mounting would be: it shows when the other mount is gone.
    execFileSync("mount", ["--bind", folder.file("data"), folder.file("data")]);
    await deleteDisk(folder);
    expect(existsSync(folder.dir)).toBe(false);
    rmSync(base, { recursive: true });
  },
);
