import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs `npm pack` in a copy of `sdk/`, because several tests may do so at once. The copy is inside the repository, where
 * the build finds its tools. Returns the path of the packed file in `into`.
 */
async function packSdk(rootDir: string, into: string): Promise<string> {
  await mkdir(path.join(rootDir, ".build"), { recursive: true });
  const copy = await mkdtemp(path.join(rootDir, ".build/sdk-"));
  try {
    const isSource = (file: string) => path.relative(path.join(rootDir, "sdk"), file) !== "dist";
    await cp(path.join(rootDir, "sdk"), copy, { recursive: true, filter: isSource });
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", into], { cwd: copy });
    return path.join(into, stdout.trim());
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** An empty folder of somebody else that has installed the packed SDK, without a network. */
export async function sdkProject(rootDir: string) {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-sdk-"));
  const packed = await packSdk(rootDir, dir);
  const project = path.join(dir, "project");
  await mkdir(project);
  await writeFile(path.join(project, "package.json"), '{ "type": "module" }');
  const install = ["install", "--offline", "--no-audit", "--no-fund", "--silent", packed];
  await run("npm", install, { cwd: project });
  return { dir: project, packed, remove: () => rm(dir, { recursive: true, force: true }) };
}

export interface Typing {
  env?: Record<string, string>;
  /** Typed into, or piped to, the program. */
  input?: string;
}

/** Runs the installed `svc` as a shell would, with nothing of the test's own environment but the path to Node. */
export const shellOf =
  (project: string, base: Record<string, string>) =>
  (args: readonly string[], { env = {}, input = "" }: Typing = {}): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const child = spawn(path.join(project, "node_modules/.bin/svc"), args, {
        cwd: project,
        env: { NODE_ENV: "production", PATH: process.env.PATH ?? "", ...base, ...env },
      });
      const ended: Ended = { code: -1, stdout: "", stderr: "" };
      child.stdout.on("data", (chunk) => (ended.stdout += chunk));
      child.stderr.on("data", (chunk) => (ended.stderr += chunk));
      child.on("error", reject);
      child.on("close", (code) => resolve({ ...ended, code: code ?? -1 }));
      child.stdin.end(input);
    });
