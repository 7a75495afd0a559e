import { existsSync } from "node:fs";
import { mkdir, readdir, statfs } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { type Clock, systemClock } from "../kernel/clock";
import type { HostAndPort } from "../kernel/host-and-port";
import type { AddressPolicy } from "./address-policy";
import type { DiskSpace } from "./disk-space/disk-space";
import type { Network } from "./guarded-fetch";
import { chooseRuntime, type Rung, type RuntimeChoice } from "./runtime/choose-runtime";
import { openDockerRuntime } from "./runtime/docker/open-docker-runtime";
import type { KubernetesSettings, OpenKubernetesRuntime } from "./runtime/kubernetes/open-kubernetes-runtime";
import { openNamespacesRuntime } from "./runtime/namespaces/open-namespaces-runtime";
import type { GpuDriver } from "./runtime/nvidia/gpu-driver";
import { openProcessRuntime, removeProcesses } from "./runtime/process/open-process-runtime";
import { RuntimeError } from "./runtime/runtime";

/** Ports of an address of this node, `last` included. */
export interface PublicPortRange {
  host: string;
  first: number;
  last: number;
}

/** What the configuration says about running workloads. */
export interface RuntimeConfig {
  /** The strongest runtime that works, none, or only this one. */
  runtime: "auto" | "off" | "kubernetes" | "docker" | "namespaces" | "process";
  /** Where other processes of svc reach the workloads of this one; port 0: any free one. */
  runtimeAddress: HostAndPort;
  /** Where ports of the installation listen that lead to pods. */
  publicPorts: PublicPortRange;
  /** Requests to edge functions, and connections to public ports, that one client has at once. */
  connectionsPerAddressMax: number;
  /** Connections to the HTTP port that one client has at once. */
  httpConnectionsMax: number;
  /** undefined: no cluster is configured. */
  kubernetes: KubernetesSettings | undefined;
  /** Where a container engine may listen. */
  engineSockets: readonly string[];
}

export interface RuntimeSettings {
  /** The folder that contains package.json. */
  rootDir: string;
  /** The data directory; one process of svc at a time uses its workloads. */
  dataDir: string;
  /** Default `auto`: the strongest one that works here, or the one whose workloads the data directory has. */
  kind?: "auto" | Rung["kind"] | undefined;
  /** Where a container engine may listen; default: none is used. An engine is never started. */
  engineSockets?: readonly string[] | undefined;
  /** Which registries may be asked; with loopback addresses also those of a developer's machine, by http. */
  policy: AddressPolicy;
  /**
   * Of unpacked layers on the disk, and so of one image; default a quarter of the disk, at most 40 GiB. Half as much more is
   * for owners with few images, and twice as much for what is being unpacked.
   */
  cacheBytesMax?: number | undefined;
  /** Tests pass their own. */
  network?: Network | undefined;
  /** Tests pass their own. */
  gpuDriver?: GpuDriver | undefined;
  /** The internet as workloads reach it; tests pass their own. */
  outboundNetwork?: Network | undefined;
  /** undefined: no cluster is configured. `nodeId` identifies this installation in it. */
  kubernetes?: (KubernetesSettings & { nodeId: string }) | undefined;
  /** Of the disk of the data directory; absent: it is not watched. */
  space?: Pick<DiskSpace, "assertRoom" | "admit" | "isLow"> | undefined;
  clock?: Clock | undefined;
  log: Pick<Logger, "info" | "warn">;
}

/** The runtime of this node, which is chosen when it is first needed. */
export interface StartedRuntime {
  /** The same choice on every call. */
  choice(): Promise<RuntimeChoice>;
  /** Interrupts starts; workloads keep running, and the next start of svc finds them. */
  stop(): Promise<void>;
}

const GIB = 1024 ** 3;
/** Room for two or three images for machine learning, which have 10 to 20 GiB. */
const CACHE_BYTES_MAX = 40 * GIB;
const CACHE_DISK_SHARE = 0.25;

/** Returns at once; call `choice` early so that the trial of each runtime is over when the first workload comes. */
export function startRuntime(settings: RuntimeSettings): StartedRuntime {
  const { dataDir, log } = settings;
  let chosen: Promise<RuntimeChoice> | undefined;
  const choose = async () => {
    // No other runtime would find what still runs as plain processes.
    if (settings.kind !== "process") await removeProcesses(folderOf(dataDir, "process"));
    const kind = settings.kind === undefined || settings.kind === "auto" ? await kindInUse(dataDir) : settings.kind;
    const rungs = rungsOf({ ...settings, kind }).filter((rung) => kind === undefined || rung.kind === kind);
    const choice = await chooseRuntime(rungs);
    for (const why of choice.runtime ? (choice.skipped ?? []) : [])
      log.warn(`a stronger runtime cannot be used: ${why}`);
    if (choice.runtime) log.info({ runtime: choice.runtime.kind }, "workloads run on this node");
    else log.info({ reason: choice.reason }, "workloads cannot run on this node");
    return choice;
  };
  return {
    choice: () => {
      chosen ??= choose();
      return chosen;
    },
    stop: async () => {
      const choice = await chosen;
      await choice?.runtime?.close();
    },
  };
}

/** The strongest first. */
function rungsOf(settings: RuntimeSettings): Rung[] {
  const { kubernetes, clock = systemClock } = settings;
  const local = localRungs(settings);
  return kubernetes || settings.kind === "kubernetes"
    ? [kubernetesRung(kubernetes && { ...kubernetes, clock }), ...local]
    : local;
}

function localRungs(settings: RuntimeSettings): Rung[] {
  const {
    rootDir,
    dataDir,
    policy,
    network,
    outboundNetwork,
    clock = systemClock,
    log,
    engineSockets = [],
    space,
  } = settings;
  const shared = {
    rootDir,
    policy,
    network,
    outboundNetwork,
    clock,
    space,
    assertRoom: space && ((bytes: number) => asRuntimeError(space, bytes)),
    onWarning: (sentence: string) => log.warn(sentence),
  };
  const cacheBytes = async () => settings.cacheBytesMax ?? (await defaultCacheBytes(dataDir));
  const docker: Rung = {
    kind: "docker",
    open: async () => {
      const imageBytesMax = await cacheBytes();
      return openDockerRuntime({ ...shared, dir: folderOf(dataDir, "docker"), sockets: engineSockets, imageBytesMax });
    },
  };
  const namespaces: Rung = {
    kind: "namespaces",
    open: async () => {
      const cacheBytesMax = await cacheBytes();
      const { gpuDriver } = settings;
      const beforeLaunch = space && ((disk: string) => space.admit(disk));
      return openNamespacesRuntime({
        ...shared,
        beforeLaunch,
        dir: folderOf(dataDir, "namespaces"),
        cacheBytesMax,
        gpuDriver,
      });
    },
  };
  // Never chosen by itself: it separates nothing.
  if (settings.kind === "process") return [processRung(shared, { dir: folderOf(dataDir, "process"), cacheBytes })];
  // Most nodes have no engine, which is then no reason worth telling.
  return settings.kind === "docker" || engineSockets.some((socket) => existsSync(socket))
    ? [docker, namespaces]
    : [namespaces];
}

type SharedOptions = Omit<Parameters<typeof openProcessRuntime>[0], "dir" | "cacheBytesMax">;

const processRung = (
  shared: SharedOptions,
  { dir, cacheBytes }: { dir: string; cacheBytes: () => Promise<number> },
): Rung => ({
  kind: "process",
  open: async () => openProcessRuntime({ ...shared, dir, cacheBytesMax: await cacheBytes() }),
});

/** Pods fail for want of space as on a node whose disk is full. */
function asRuntimeError(space: Pick<DiskSpace, "assertRoom">, bytes: number): void {
  try {
    space.assertRoom(bytes);
  } catch (cause) {
    throw new RuntimeError("no_disk_space", "The disk of the node is nearly full.", { cause });
  }
}

const folderOf = (dataDir: string, kind: "docker" | "namespaces" | "process"): string =>
  path.join(path.resolve(dataDir), kind === "namespaces" ? "runtime" : `runtime/${kind}`);

/** Workloads that an earlier process started are only found by the runtime that runs them. */
async function kindInUse(dataDir: string): Promise<Rung["kind"] | undefined> {
  for (const kind of ["docker", "namespaces"] as const) {
    const names = await readdir(path.join(folderOf(dataDir, kind), "workloads")).catch(() => []);
    if (names.some((name) => !name.startsWith("."))) return kind;
  }
  return undefined;
}

const kubernetesRung = (options: OpenKubernetesRuntime | undefined): Rung => ({
  kind: "kubernetes",
  open: async () => {
    if (!options)
      throw new Error("no cluster is configured: set KUBECONFIG, or run svc in a pod with a service account");
    // Installations without a cluster do not load it.
    const { openKubernetesRuntime } = await import("./runtime/kubernetes/open-kubernetes-runtime");
    return openKubernetesRuntime(options);
  },
});

async function defaultCacheBytes(dataDir: string): Promise<number> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { blocks, bsize } = await statfs(dataDir);
  return Math.min(CACHE_BYTES_MAX, Math.floor(blocks * bsize * CACHE_DISK_SHARE));
}
