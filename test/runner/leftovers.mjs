import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROUNDS = 50;
const PAUSE_MS = 100;

/**
 * Ends, unmounts and removes what carries `mark`, the name that all folders of a run have. A process carries it if its
 * environment, arguments, working directory, program or root file system names such a folder; programs that svc starts
 * get none of its environment. The processes that this one comes from, and those that it started, stay. Processes and
 * mounts are found on Linux only. Resolves to one sentence per thing removed.
 */
export async function removeLeftovers(mark, folders) {
  const removed = [];
  await endProcesses(mark, removed);
  for (const { point } of mountsOf(mark).reverse()) {
    if (attempt(() => execFileSync("umount", ["-l", point], { stdio: "ignore" }))) removed.push(`mount ${point}`);
  }
  for (const device of loopDevicesOf(mark)) {
    if (attempt(() => execFileSync("losetup", ["-d", device], { stdio: "ignore" }))) removed.push(`device ${device}`);
  }
  // What is still mounted, as for want of a right, is not to be emptied.
  if (mountsOf(mark).length > 0) return removed;
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return removed;
}

/** Until there are none: a process can start another while it is being ended. */
async function endProcesses(mark, removed) {
  const known = new Set();
  for (let round = 0; round < ROUNDS; round++) {
    const found = processesOf(mark);
    if (found.length === 0) return;
    for (const pid of found) {
      const groups = controlGroupsOf(pid);
      if (!known.has(pid)) removed.push(`process ${pid}: ${commandOf(pid)}`);
      known.add(pid);
      attempt(() => process.kill(pid, "SIGKILL"));
      await sleep(0);
      for (const group of groups) attempt(() => rmdirSync(group));
    }
    await sleep(PAUSE_MS);
  }
}

/** The processes that carry the mark, and those that they started. */
export function processesOf(mark) {
  if (process.platform !== "linux") return [];
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), ...statusOf(Number(name)) }))
    .filter(({ state }) => state !== undefined && state !== "Z");
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const comesFrom = (pid, origin) => {
    for (let at = pid; at !== undefined && at > 0; at = parents.get(at)) if (at === origin) return true;
    return false;
  };
  const candidates = all
    .map(({ pid }) => pid)
    .filter((pid) => !comesFrom(pid, process.pid) && !comesFrom(process.pid, pid));
  const marked = candidates.filter((pid) => carries(pid, mark));
  return candidates.filter((pid) => marked.some((origin) => comesFrom(pid, origin)));
}

function carries(pid, mark) {
  const own = `/proc/${pid}`;
  const texts = [textOf(`${own}/environ`), textOf(`${own}/cmdline`)];
  const links = ["cwd", "exe"].map((name) => linkOf(`${own}/${name}`));
  // The root of a workload is a mount whose layers are folders of the run.
  const root = textOf(`${own}/mountinfo`)
    .split("\n")
    .filter((line) => line.split(" ")[4] === "/");
  return [...texts, ...links, ...root].some((text) => text.includes(mark));
}

function statusOf(pid) {
  const stat = textOf(`/proc/${pid}/stat`);
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? {} : { state, parent: Number(parent) };
}

const commandOf = (pid) => textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim().slice(0, 160);

/** Control groups of workloads: svc makes one for each, below `svc-…`. */
function controlGroupsOf(pid) {
  return textOf(`/proc/${pid}/cgroup`)
    .split("\n")
    .map((line) => line.split(":"))
    .filter(([, , group]) => group?.includes("/svc-"))
    .map(([, names, group]) => path.join("/sys/fs/cgroup", names ?? "", group));
}

/** In the order in which they were mounted. */
function mountsOf(mark) {
  return textOf("/proc/self/mountinfo")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .map((point) => ({
      point: point.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
    }))
    .filter(({ point }) => point.includes(mark));
}

function loopDevicesOf(mark) {
  if (!existsSync("/sys/block")) return [];
  return readdirSync("/sys/block")
    .filter((name) => textOf(`/sys/block/${name}/loop/backing_file`).includes(mark))
    .map((name) => `/dev/${name}`);
}

/** Empty for what has ended meanwhile or belongs to somebody else. */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function linkOf(file) {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}

function attempt(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
