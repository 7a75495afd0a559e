import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const isRoot = process.getuid?.() === 0;
/** With the tools of util-linux, what the namespaces runtime does with system calls. */
const TRIAL = "mount -t overlay -o lowerdir=l,upperdir=u,workdir=w overlay r && mount -t proc proc p";

/** What this node lacks to run workloads, as found without svc's own code; undefined if it lacks nothing. */
export function missingForWorkloads(): string | undefined {
  if (process.platform !== "linux") return "workloads need Linux";
  if (!["x64", "arm64"].includes(process.arch)) return `workloads need x64 or arm64, and this is ${process.arch}`;
  if (!succeeds("perl", ["-e", "1"])) return "workloads need perl";
  const dir = mkdtempSync(path.join(os.tmpdir(), "svc-trial-"));
  try {
    for (const name of ["l", "u", "w", "r", "p"]) mkdirSync(path.join(dir, name));
    const kinds = [...(isRoot ? [] : ["--map-root-user"]), "--mount", "--pid", "--fork", "--net", "--uts", "--ipc"];
    if (succeeds("unshare", [...kinds, "sh", "-c", TRIAL], dir)) return undefined;
    return "this user may not use namespaces and overlay file systems here";
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Whether limits of workloads can be enforced on this node, as found without svc's own code. */
export const canLimitWorkloads = (): boolean => isRoot && canMakeCgroups() && existsSync("/dev/loop-control");

function canMakeCgroups(): boolean {
  const root = "/sys/fs/cgroup";
  const folders = existsSync(`${root}/cgroup.controllers`)
    ? [root]
    : ["memory", "cpu", "pids"].map((name) => `${root}/${name}`);
  try {
    for (const folder of folders) {
      mkdirSync(`${folder}/svc-trial-of-tests`);
      rmdirSync(`${folder}/svc-trial-of-tests`);
    }
    return true;
  } catch {
    return false;
  }
}

function succeeds(program: string, args: readonly string[], cwd = "/"): boolean {
  try {
    execFileSync(program, args, { cwd, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
