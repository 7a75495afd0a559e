import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import path from "node:path";

/** Programs start without the environment of svc, which has secrets and could change what they load. */
export const SCRIPT_ENVIRONMENT: Readonly<Record<string, string>> = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/**
 * Starts a script of this folder with Perl, in a process group of its own: a signal to the group of svc, such as that of
 * Ctrl-C, does not interrupt it. `scripts` is the folder.
 */
export function startScript(
  scripts: string,
  [name, ...args]: readonly [string, ...string[]],
  options: { stdio: StdioOptions },
): ChildProcess {
  return spawn("perl", [path.join(scripts, name), ...args], {
    ...options,
    detached: true,
    env: SCRIPT_ENVIRONMENT as NodeJS.ProcessEnv,
    cwd: "/",
  });
}

/** What a script prints depends on the files of workloads. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Resolves to the standard output of a script; rejects with its standard error if it fails, and for an output above 64 MiB. */
export async function runScript(
  scripts: string,
  command: readonly [string, ...string[]],
  input: string | Buffer,
): Promise<Buffer> {
  const child = startScript(scripts, command, { stdio: "pipe" });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let bytes = 0;
  const keepIn = (chunks: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > OUTPUT_BYTES_MAX) child.kill("SIGKILL");
    else chunks.push(chunk);
  };
  child.stdout?.on("data", keepIn(output));
  child.stderr?.on("data", keepIn(errors));
  child.stdin?.on("error", () => {}).end(input);
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (bytes > OUTPUT_BYTES_MAX) throw new Error(`${command[0]} prints more than ${OUTPUT_BYTES_MAX} bytes`);
  if (code === 0) return Buffer.concat(output);
  throw new Error(Buffer.concat(errors).toString("utf8").slice(0, 1000).trim() || `${command[0]} failed`);
}

/** The fields that scripts read: `key=value`, each ended by a NUL. Values must not contain NUL. */
export const scriptFields = (fields: readonly (readonly [string, string])[]): string =>
  fields.map(([key, value]) => `${key}=${value}\0`).join("");
