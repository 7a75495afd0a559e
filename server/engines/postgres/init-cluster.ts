import { spawn } from "node:child_process";
import { chownSync, closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { clusterArgument, nobody, type ServerUser } from "./server-user";

export interface InitCluster {
  binDir: string;
  /** The final folder; a half-made cluster never appears under this name. */
  cluster: string;
  user: ServerUser;
  password: string;
  /** False skips the flush to disk, for throw-away clusters. */
  durable: boolean;
}

/** Creates an empty cluster whose superuser `postgres` logs in by password. Rejects with what initdb said. */
export async function initCluster(request: InitCluster): Promise<void> {
  const draft = `${request.cluster}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const { uid, gid } = request.user;
  if (uid !== undefined && gid !== undefined) chownSync(draft, uid, gid);
  const passwordFd = openUnlinked(`${request.cluster}.init`, request);
  try {
    const result = await runInitdb(request, draft, passwordFd);
    if (result.code !== 0) throw new Error(`initdb failed: ${result.output.trim()}`);
    renameSync(draft, request.cluster);
  } finally {
    closeSync(passwordFd);
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A file without a name: initdb reads the password through the descriptor, wherever the folder lies. */
function openUnlinked(file: string, { password, user }: InitCluster): number {
  rmSync(file, { force: true });
  writeFileSync(file, password, { mode: 0o600 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(file, user.uid, user.gid);
  const fd = openSync(file, "r");
  rmSync(file);
  return fd;
}

async function runInitdb(
  { binDir, user, durable }: InitCluster,
  draft: string,
  passwordFd: number,
): Promise<{ code: number | null; output: string }> {
  const initdb = path.join(binDir, "bin", "initdb");
  const args = ["-D", clusterArgument(draft, user), "-U", "postgres", "--encoding=UTF8", "--locale=C"];
  args.push("--auth=scram-sha-256", "--pwfile=/dev/fd/3", "--no-instructions");
  if (!durable) args.push("--no-sync");
  const run = (program: string, programArgs: string[]) =>
    collect(program, programArgs, { cwd: draft, uid: user.uid, gid: user.gid, passwordFd });

  const first = await run(initdb, args);
  if (first.code === 0 || !/could not look up effective user ID/.test(first.output)) return first;
  // A container may give a user id without a name, which initdb alone insists on: inside a user namespace it has one.
  const second = await run("unshare", ["--user", `--map-user=${nobody().uid}`, "--", initdb, ...args]);
  return second.code === 0 ? second : first;
}

interface Surroundings {
  cwd: string;
  uid: number | undefined;
  gid: number | undefined;
  passwordFd: number;
}

function collect(
  program: string,
  args: string[],
  { cwd, uid, gid, passwordFd }: Surroundings,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      uid,
      gid,
      env: { LC_ALL: "C", PATH: "/usr/local/bin:/usr/bin:/bin", NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "pipe", passwordFd],
    });
    let output = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once("error", (error) => resolve({ code: null, output: error.message }));
    child.once("close", (code) => resolve({ code, output }));
  });
}
