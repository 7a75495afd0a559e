import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, isAccessible } from "../../file-failures";
import type { WorkloadLimits } from "../runtime";
import { killIfRunning } from "./namespace-processes";
import { type HostProcesses, hostProcesses, processLimit } from "./process-limit";

/** The folders of a workload in each hierarchy, and the file that counts OOM kills. */
export interface Cgroup {
  folders: string[];
  oomFile: string;
}

/** Values by file name, for one hierarchy. */
interface Hierarchy {
  root: string;
  values(limits: WorkloadLimits): Record<string, string>;
  /** Of the parent of all workloads. */
  parentValues: Record<string, string>;
  /** Files that not every kernel has. */
  optional: readonly string[];
}

const CONTROLLERS = ["memory", "cpu", "pids"] as const;
const CPU_PERIOD_US = 100_000;
/** A thread of svc, as of any program outside of workloads, counts as much. */
const SHARES_OF_THREAD = 1024;
/**
 * What a core of a workload counts beside other workloads, and all workloads together beside everything else where the
 * cores do not suffice: svc, which as a service or a session counts as one thread with all of its own, comes first.
 */
const SHARES_OF_CORE = SHARES_OF_THREAD / 4;
const SHARES_MIN = 64;
/** Has the groups of all workloads of the node, so that many of them do not count more than svc. */
const PARENT = "svc-workloads";
/** The weight of a group in version 2 that counts as a thread. */
const WEIGHT_OF_THREAD = 100;
const WEIGHT_MAX = 10_000;
const REMOVE_TRIES = 100;
const REMOVE_PAUSE_MS = 10;
/** No id of a workload begins with a dot. */
const TRIAL = ".trial";
const TRIAL_LIMITS = { memoryBytes: 16 * 1024 * 1024, cpuMillis: 100, pids: 16 };

interface CgroupsParts {
  /** Tells the workloads of several installations on a node apart. */
  prefix: string;
  /** Names of groups that an earlier version has made beside the parent. */
  earlier: ReadonlySet<string>;
  node: HostProcesses;
}

/** Control groups of workloads, below one group of each hierarchy. */
export class Cgroups {
  private constructor(
    readonly hierarchies: readonly Hierarchy[],
    readonly oomFile: string,
    readonly parts: CgroupsParts,
  ) {}

  /** Control groups that a trial has shown to work; otherwise a sentence on why limits are not enforced. */
  static async open(root: string, owner: string): Promise<Cgroups | string> {
    const prefix = `svc-${createHash("sha256").update(owner).digest("hex").slice(0, 8)}`;
    const isV2 = await isAccessible(path.join(root, "cgroup.controllers"));
    const earlier = new Set(await readdir(isV2 ? root : path.join(root, "pids")).catch(() => []));
    const parts = { prefix, earlier, node: await hostProcesses() };
    const cgroups = isV2
      ? new Cgroups([unified(root)], "memory.events", parts)
      : new Cgroups(
          CONTROLLERS.map((controller) => separate(root, controller)),
          "memory.oom_control",
          parts,
        );
    try {
      if (isV2) await enableControllers(root);
      for (const hierarchy of cgroups.hierarchies) await makeParent(hierarchy);
      if (isV2) await enableControllers(path.join(root, PARENT));
      await cgroups.create(TRIAL, TRIAL_LIMITS);
      await cgroups.remove(TRIAL);
      return cgroups;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return `limits of memory, CPU and processes are not enforced: ${why}`;
    }
  }

  async create(id: string, limits: WorkloadLimits): Promise<Cgroup> {
    const cgroup = this.of(id);
    const shared = { ...limits, pids: processLimit(limits, this.parts.node) };
    for (const [index, hierarchy] of this.hierarchies.entries()) {
      const folder = cgroup.folders[index] ?? "";
      await mkdir(folder, { recursive: true });
      await writeValues(folder, hierarchy, shared);
    }
    return cgroup;
  }

  of(id: string): Cgroup {
    const name = `${this.parts.prefix}-${id}`;
    const parent = this.parts.earlier.has(name) ? "" : PARENT;
    const folders = this.hierarchies.map(({ root }) => path.join(root, parent, name));
    return { folders, oomFile: path.join(folders[0] ?? "", this.oomFile) };
  }

  /** The folders for a further program of a workload; the last one is below that of the workload, and is yet to be made. */
  ofProgram(id: string): string[] {
    const { folders } = this.of(id);
    return [...folders.slice(0, -1), path.join(folders.at(-1) ?? "", `exec-${randomUUID()}`)];
  }

  /** Ends what still runs in it: a start that was interrupted may have left a process behind. */
  async remove(id: string): Promise<void> {
    for (const folder of this.of(id).folders) {
      for (const within of await foldersIn(folder)) await removeFolder(within);
      await removeFolder(folder);
    }
  }
}

const separate = (root: string, controller: (typeof CONTROLLERS)[number]): Hierarchy => ({
  root: path.join(root, controller),
  optional: ["memory.memsw.limit_in_bytes"],
  parentValues: controller === "cpu" ? { "cpu.shares": String(SHARES_OF_CORE) } : {},
  values: ({ memoryBytes, cpuMillis, pids }) => {
    if (controller === "pids") return { "pids.max": String(pids) };
    if (controller === "cpu")
      return cpuMillis === undefined
        ? {}
        : { "cpu.cfs_quota_us": quotaOf(cpuMillis), "cpu.shares": String(sharesOf(cpuMillis)) };
    if (memoryBytes === undefined) return {};
    const bytes = String(memoryBytes);
    return { "memory.limit_in_bytes": bytes, "memory.memsw.limit_in_bytes": bytes };
  },
});

const unified = (root: string): Hierarchy => ({
  root,
  optional: ["memory.swap.max", "memory.oom.group"],
  parentValues: { "cpu.weight": String(weightOfShares(SHARES_OF_CORE)) },
  values: ({ memoryBytes, cpuMillis, pids }) => ({
    "pids.max": String(pids),
    ...(cpuMillis === undefined
      ? {}
      : { "cpu.max": `${quotaOf(cpuMillis)} ${CPU_PERIOD_US}`, "cpu.weight": String(weightOf(cpuMillis)) }),
    ...(memoryBytes === undefined
      ? {}
      : { "memory.max": String(memoryBytes), "memory.swap.max": "0", "memory.oom.group": "1" }),
  }),
});

/** The kernel accepts quotas of at least 1 ms. */
const quotaOf = (cpuMillis: number): string => String(Math.max(1000, Math.round((cpuMillis * CPU_PERIOD_US) / 1000)));

const sharesOf = (cpuMillis: number): number =>
  Math.min(SHARES_OF_THREAD, Math.max(SHARES_MIN, Math.round((cpuMillis * SHARES_OF_CORE) / 1000)));

const weightOf = (cpuMillis: number): number => weightOfShares(sharesOf(cpuMillis));

const weightOfShares = (shares: number): number =>
  Math.min(WEIGHT_MAX, Math.ceil((shares * WEIGHT_OF_THREAD) / SHARES_OF_THREAD));

async function makeParent({ root, parentValues }: Hierarchy): Promise<void> {
  const folder = path.join(root, PARENT);
  await mkdir(folder, { recursive: true });
  for (const [name, value] of Object.entries(parentValues)) await writeFile(path.join(folder, name), value);
}

async function enableControllers(root: string): Promise<void> {
  const enabled = (await readFile(path.join(root, "cgroup.subtree_control"), "utf8")).split(/\s+/);
  const missing = CONTROLLERS.filter((controller) => !enabled.includes(controller));
  if (missing.length === 0) return;
  await writeFile(path.join(root, "cgroup.subtree_control"), missing.map((controller) => `+${controller}`).join(" "));
}

async function writeValues(folder: string, { values, optional }: Hierarchy, limits: WorkloadLimits): Promise<void> {
  for (const [name, value] of Object.entries(values(limits))) {
    const file = path.join(folder, name);
    if (optional.includes(name) && !(await isAccessible(file))) continue;
    await writeFile(file, value);
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
}

async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rmdir(folder);
      return;
    } catch (cause) {
      if (codeOf(cause) === "ENOENT") return;
      if (codeOf(cause) !== "EBUSY" || attempt === REMOVE_TRIES) throw cause;
      await killAllIn(folder);
      await sleep(REMOVE_PAUSE_MS);
    }
  }
}

async function killAllIn(folder: string): Promise<void> {
  const processes = await readFile(path.join(folder, "cgroup.procs"), "utf8").catch(() => "");
  for (const pid of processes.split("\n").map(Number)) {
    // 0 is a process of another process-id namespace, and would address this process's own group.
    if (pid > 0) killIfRunning(pid, "SIGKILL");
  }
}
