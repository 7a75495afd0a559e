import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Deletes a folder with all that a workload has made in it: folders may be nested deeper than the longest path. */
export async function deleteFolder(folder: string): Promise<void> {
  await promisify(execFile)("rm", ["-rf", "--one-file-system", "--", folder]);
}
