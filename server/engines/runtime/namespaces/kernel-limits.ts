import { readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import { codeOf } from "../../file-failures";

/** One limit of the node's kernel, for people. */
export interface KernelLimit {
  limit: string;
  found: string;
  expected: string;
  /** What the operator does; empty if the limit is as expected. */
  fix: string;
  /** false: workloads are separated without it, and some programs may fail. */
  isRequired: boolean;
  isMet: boolean;
}

/** What `checkKernelLimits` judges. */
export interface KernelState {
  /** As in `uname -r`. */
  release: string;
  /** What the kernel was started with. */
  commandLine: string;
  /** Names of the controllers of control groups. */
  controllers: readonly string[];
  /** By name, as in sysctl; undefined: the kernel has none of this name. */
  settings: ReadonlyMap<string, string | undefined>;
}

interface Setting {
  name: string;
  least: bigint;
  isRequired: boolean;
  /** Whether svc sets it when it starts as root. */
  isSet: boolean;
}

const setting = (name: string, least: number | bigint, more: Partial<Setting> = {}): Setting => ({
  name,
  least: BigInt(least),
  isRequired: true,
  isSet: true,
  ...more,
});
const MINOR = { isRequired: false };
const NOT_SET = { isSet: false };

/**
 * What all workloads of a node have together, with margins. Each of them is limited by its control group: memory for
 * descriptors, watches, terminals and threads is charged to it. The values of pid_max and file-max are those that systemd
 * sets.
 */
const SETTINGS: readonly Setting[] = [
  setting("kernel.pid_max", 4_194_304),
  setting("kernel.threads-max", 524_288),
  setting("fs.file-max", 2n ** 63n - 1n),
  setting("kernel.pty.max", 65_536, MINOR),
  setting("fs.inotify.max_user_instances", 128, MINOR),
  setting("fs.inotify.max_user_watches", 65_536, MINOR),
  setting("kernel.keys.maxkeys", 200, MINOR),
  // Of one user: each workload has its own, and root makes the others.
  setting("user.max_user_namespaces", 1024),
  ...["cgroup", "ipc", "mnt", "net", "pid", "uts"].map((kind) => setting(`user.max_${kind}_namespaces`, 8192)),
  setting("fs.pipe-user-pages-soft", 16_384, { ...MINOR, ...NOT_SET }),
];

/** Mounts of an overlay can map ids since then. */
const RELEASE_MIN = [5, 19] as const;
const CONTROLLERS = ["cpu", "memory", "pids"];
/** Of the kernel's processes and threads, for svc, its engines and the node. */
const RESERVED_PROCESSES = 8192;
/** At least a quarter, where there are few. */
const RESERVED_SHARE = 0.25;

/** Every limit that svc expects of the node, with what was found. */
export function checkKernelLimits(state: KernelState): KernelLimit[] {
  return [
    isolationOf(state),
    controllersOf(state),
    accountingOf(state),
    ...SETTINGS.map((one) => settingOf(one, state.settings.get(one.name))),
  ];
}

function isolationOf({ release }: KernelState): KernelLimit {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10));
  const isMet = major > RELEASE_MIN[0] || (major === RELEASE_MIN[0] && minor >= RELEASE_MIN[1]);
  const expected = `${RELEASE_MIN.join(".")} or later`;
  return limitOf(
    { limit: "Linux", found: release, expected, isMet },
    "Upgrade the kernel: workloads of all tenants share their users without it.",
  );
}

function controllersOf({ controllers }: KernelState): KernelLimit {
  const missing = CONTROLLERS.filter((name) => !controllers.includes(name));
  return limitOf(
    {
      limit: "control groups",
      found: missing.length === 0 ? CONTROLLERS.join(", ") : `without ${missing.join(", ")}`,
      expected: CONTROLLERS.join(", "),
      isMet: missing.length === 0,
    },
    "Enable the controllers, also for the container in which svc runs, if it does.",
  );
}

function accountingOf({ commandLine }: KernelState): KernelLimit {
  const isMet = !/(^|\s)cgroup\.memory=\S*nokmem/.test(commandLine);
  return limitOf(
    { limit: "kernel memory of control groups", found: isMet ? "limited" : "not limited", expected: "limited", isMet },
    "Remove cgroup.memory=nokmem from the kernel's command line.",
  );
}

function settingOf({ name, least, isRequired }: Setting, found: string | undefined): KernelLimit {
  // 0 is no limit for pipes.
  const isMet = found !== undefined && (BigInt(found) >= least || (name.startsWith("fs.pipe") && found === "0"));
  const limit = { limit: name, found: found ?? "none", expected: `${least} or more`, isMet };
  const fix = `sysctl -w ${name}=${least}, and the same in /etc/sysctl.d/90-svc.conf`;
  return { ...limitOf(limit, fix), isRequired };
}

const limitOf = (limit: Omit<KernelLimit, "fix" | "isRequired">, fix: string): KernelLimit => ({
  ...limit,
  isRequired: true,
  fix: limit.isMet ? "" : fix,
});

/** Of this node. */
export async function readKernelState(): Promise<KernelState> {
  const values = await Promise.all(SETTINGS.map(async ({ name }) => [name, await readSetting(name)] as const));
  return {
    release: os.release(),
    commandLine: await textOf("/proc/cmdline"),
    controllers: await readControllers(),
    settings: new Map(values),
  };
}

/** Raises what svc may raise, which needs root. Returns a sentence for each required limit that stays below. */
export async function raiseKernelLimits(): Promise<string[]> {
  const { settings } = await readKernelState();
  for (const { name, least, isSet } of SETTINGS) {
    const found = settings.get(name);
    if (!isSet || found === undefined || BigInt(found) >= least) continue;
    await writeFile(fileOf(name), String(least)).catch(() => undefined);
  }
  const missing = checkKernelLimits(await readKernelState()).filter(({ isRequired, isMet }) => isRequired && !isMet);
  return missing.map(({ limit, found, expected }) => `${limit} of the node is ${found}, expected: ${expected}`);
}

/** How many processes and threads all workloads of this node may have together. */
export async function processesOfHost(): Promise<number> {
  const texts = await Promise.all(["kernel.pid_max", "kernel.threads-max"].map(readSetting));
  return processesForWorkloads(Math.min(...texts.map((text) => Number(text ?? 32_768))));
}

export const processesForWorkloads = (total: number): number =>
  Math.floor(total - Math.max(0, Math.min(RESERVED_PROCESSES, total * RESERVED_SHARE)));

async function readControllers(): Promise<string[]> {
  const unified = await textOf("/sys/fs/cgroup/cgroup.controllers");
  if (unified !== "") return unified.trim().split(" ");
  const lines = (await textOf("/proc/cgroups")).split("\n").filter((line) => /^[a-z_]+\t.*\t1$/.test(line));
  return lines.map((line) => line.split("\t")[0] ?? "");
}

const fileOf = (name: string): string => `/proc/sys/${name.replaceAll(".", "/")}`;

async function readSetting(name: string): Promise<string | undefined> {
  return (await textOf(fileOf(name))).trim() || undefined;
}

/** Empty if there is no such file. */
const textOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((cause) => {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "EACCES") return "";
    throw cause;
  });
