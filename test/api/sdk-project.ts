import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { buildSdk } from "../../sdk/build-sdk.mjs";

const run = promisify(execFile);

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** An empty folder of somebody else that has installed the packed SDK, without a network. */
export async function sdkProject(rootDir: string) {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-sdk-"));
  const { outDir } = await buildSdk({ rootDir, outDir: path.join(dir, "built") });
  const { stdout } = await run("npm", ["pack", outDir, "--silent", "--pack-destination", dir], { cwd: dir });
  const project = path.join(dir, "project");
  await mkdir(project);
  await writeFile(path.join(project, "package.json"), '{ "type": "module" }');
  const install = ["install", "--offline", "--no-audit", "--no-fund", "--silent", path.join(dir, stdout.trim())];
  await run("npm", install, { cwd: project });
  return { dir: project, remove: () => rm(dir, { recursive: true, force: true }) };
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
