import { spawn } from "node:child_process";
import { closeSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { openUnlinked } from "../open-unlinked";
import { anyUnprivilegedUser, changeOwner, clusterArgument, type ServerUser } from "./server-user";

export interface InitCluster {
  binDir: string;
  /** The final folder; an incomplete cluster never appears under this name. */
  cluster: string;
  user: ServerUser;
  password: string;
  /** False skips the flush to disk, for temporary clusters. */
  durable: boolean;
}

/** Creates an empty cluster whose superuser `postgres` logs in by password. Rejects with the output of initdb. */
export async function initCluster(request: InitCluster): Promise<void> {
  const draft = `${request.cluster}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    const result = await runInitdb(request, draft);
    if (result.code !== 0) throw new Error(`initdb failed: ${result.output.trim()}`);
    renameSync(draft, request.cluster);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

interface Outcome {
  code: number | null;
  output: string;
}

/** Only initdb requires that its user id has a name, which may be missing in a container or for the server's own id. */
async function runInitdb(request: InitCluster, draft: string): Promise<Outcome> {
  const { user } = request;
  const first = await initdbAs(user, { request, draft });
  if (first.code === 0 || !/could not look up effective user ID/.test(first.output)) return first;
  // In a user namespace the id has a name.
  const namespace = ["unshare", "--user", `--map-user=${anyUnprivilegedUser().uid}`, "--"];
  const second = await initdbAs(user, { request, draft, namespace });
  if (second.code === 0) return second;
  if (user.uid === undefined || user.gid === undefined) return first;
  // A container may not allow namespaces: then `anyUnprivilegedUser` creates the cluster, whose owner is changed before a server
  // starts.
  const third = await initdbAs(anyUnprivilegedUser(), { request, draft });
  if (third.code === 0) changeOwner(draft, { uid: user.uid, gid: user.gid });
  return third;
}

async function initdbAs(
  user: ServerUser,
  { request, draft, namespace = [] }: { request: InitCluster; draft: string; namespace?: string[] },
): Promise<Outcome> {
  const { uid, gid } = user;
  if (uid !== undefined && gid !== undefined) changeOwner(draft, { uid, gid });
  const initdb = path.join(request.binDir, "bin", "initdb");
  const args = ["-D", clusterArgument(draft, user), "-U", "postgres", "--encoding=UTF8", "--locale=C"];
  args.push("--auth=scram-sha-256", "--pwfile=/dev/fd/3", "--no-instructions");
  if (!request.durable) args.push("--no-sync");
  const passwordFd = openUnlinked(`${request.cluster}.init`, request.password, user);
  try {
    const [program = initdb, ...rest] = [...namespace, initdb, ...args];
    return await collect(program, rest, { cwd: draft, uid, gid, passwordFd });
  } finally {
    closeSync(passwordFd);
  }
}

interface ClusterEnvironment {
  cwd: string;
  uid: number | undefined;
  gid: number | undefined;
  passwordFd: number;
}

function collect(program: string, args: string[], { cwd, uid, gid, passwordFd }: ClusterEnvironment): Promise<Outcome> {
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
