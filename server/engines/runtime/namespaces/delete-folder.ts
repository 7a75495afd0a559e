import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Deletes a folder with all that a workload has made in it: folders may be nested deeper than the longest path. */
export async function deleteFolder(folder: string): Promise<void> {
  try {
    await run("rm", ["-rf", "--one-file-system", "--", folder]);
  } catch {
    // An ordinary user cannot read folders whose permissions a workload has removed.
    await run("chmod", ["-R", "u+rwX", "--", folder]).catch(() => {});
    await run("rm", ["-rf", "--one-file-system", "--", folder]);
  }
}
