import { readFile } from "node:fs/promises";
import path from "node:path";

/** Answers go to descriptor 3, everything else to standard error. */
const APART = 'exec 3>&1 1>&2; exec "$@"';

const PROGRAMS = {
  node: { file: "run-in-node.mjs", command: ["node", "--input-type=module", "-e"] },
  python: { file: "run_in_python.py", command: ["python3", "-c"] },
} as const;
export type PodProgram = keyof typeof PROGRAMS;

/** The command that answers calls in a pod. `rootDir` contains package.json. */
export async function programCommand(rootDir: string, program: PodProgram): Promise<string[]> {
  const { file, command } = PROGRAMS[program];
  const source = await readFile(path.join(rootDir, "server/cloud/compute/function-pods", file), "utf8");
  return ["/bin/sh", "-c", APART, "svc", ...command, source];
}
