import { constants } from "node:fs";
import { access, mkdir, mkdtemp, statfs } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

const IN_MEMORY = "/dev/shm";
/** Far more than the files of a run take at a time: about 160 MiB for six files of `test/api`. */
const FREE_BYTES_MIN = 6 * 1024 ** 3;

/**
 * A new folder for the files of the run's engines; the caller removes it. It is in memory where Linux has enough of it:
 * every test database creates and removes thousands of files, which takes ext4 more CPU time than writing them.
 */
export async function makeEnginesFolder(): Promise<string> {
  if (!(await isMemoryFree())) return mkdtemp(path.join(os.tmpdir(), "svc-test-"));
  // The name of the run's other folders, by which what is left of a run is found.
  const dir = path.join(IN_MEMORY, path.basename(os.tmpdir()));
  await mkdir(dir);
  return dir;
}

async function isMemoryFree(): Promise<boolean> {
  // A container's limit counts files in memory too; 0 means that there is none.
  const limitBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  if (Math.min(os.freemem(), limitBytes) < 2 * FREE_BYTES_MIN) return false;
  try {
    await access(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = await statfs(IN_MEMORY);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}
