import { runProgram } from "../../programs/run-program";

/** Deletes a folder with all that a workload has made in it: folders may be nested deeper than the longest path. */
export async function deleteFolder(folder: string): Promise<void> {
  try {
    await runProgram("rm", ["-rf", "--one-file-system", "--", folder]);
  } catch {
    // An ordinary user cannot read folders whose permissions a workload has removed.
    await runProgram("chmod", ["-R", "u+rwX", "--", folder]).catch(() => {});
    await runProgram("rm", ["-rf", "--one-file-system", "--", folder]);
  }
}
