import { readFile } from "node:fs/promises";
import { type HostProcesses, hostProcesses, processLimit } from "../namespaces/process-limit";
import type { WorkloadProgram } from "../namespaces/program-of";
import type { VolumeMount } from "../namespaces/volume-store";
import { DISK_BYTES_DEFAULT } from "../namespaces/workload-disk";
import { PROXY_VARIABLES } from "../network/proxy-port";
import { gpuVariables } from "../nvidia/gpu-variables";
import { type Allocation, RuntimeError } from "../runtime";

/** Of this process; an engine that may not raise limits accepts these. */
export interface ProcessLimits {
  nofile: number;
  nproc: number;
  /** What workloads share. */
  node: HostProcesses;
}

export interface ContainerSpec {
  allocation: Pick<Allocation, "id" | "hostname" | "limits" | "gpus" | "network">;
  program: WorkloadProgram;
  /** The engine's name of the image. */
  image: string;
  labels: Readonly<Record<string, string>>;
  processLimits: ProcessLimits;
  /** Files and folders of the node that the workload can read, `<path>:<path in the workload>`. */
  readOnly: readonly string[];
  /** How the engine passes GPUs on; undefined: it cannot. */
  gpuDriver: EngineGpuDriver | undefined;
  mounts: readonly VolumeMount[];
  /** Whether the engine's storage can limit a container's disk. */
  hasDisks: boolean;
}

/** `cdi`: by the names of the Container Device Interface. `nvidia`: through NVIDIA's container runtime. */
export type EngineGpuDriver = "cdi" | "nvidia";

const CPU_PERIOD_US = 100_000;
/** The kernel accepts quotas of at least 1 ms. */
const CPU_QUOTA_US_MIN = 1000;
const NOFILE_MAX = 1_048_576;
/** Podman lowers its own limit to this. */
const NPROC_MAX = 32_768;
const DEFAULT_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** What images need whose folders belong to other users than the one that the program runs as. */
const CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "KILL", "SETGID", "SETUID"];

/**
 * The body of Docker's `POST /containers/create`: a container without privileges, restarts and engine logs, and with a
 * network that has only a loopback interface. What is passed to and from it, its keeper passes.
 */
export function containerSpec({ allocation, program, image, labels, ...spec }: ContainerSpec): object {
  const { id, hostname = id, limits = {}, gpus = [], network } = allocation;
  const proxy = network === "http" ? PROXY_VARIABLES : [];
  const [entrypoint = "", ...cmd] = program.command;
  return {
    Image: image,
    Entrypoint: [entrypoint],
    Cmd: cmd,
    Env: uniqueVariables([DEFAULT_PATH, ...proxy, ...program.env, ...gpuEnv(gpus, spec.gpuDriver)]),
    User: program.user,
    WorkingDir: program.workingDir,
    Hostname: hostname,
    Labels: labels,
    StopSignal: program.stopSignal,
    NetworkDisabled: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      NetworkMode: "none",
      IpcMode: "private",
      CgroupnsMode: "private",
      CapDrop: ["ALL"],
      CapAdd: CAPABILITIES,
      SecurityOpt: ["no-new-privileges"],
      ...limitsOf({ ...limits, pids: processLimit(limits, spec.processLimits.node) }),
      ...(spec.hasDisks && { StorageOpt: { size: String(limits.diskBytes ?? DISK_BYTES_DEFAULT) } }),
      ...(gpus.length > 0 && { DeviceRequests: [deviceRequest(gpus, spec.gpuDriver)] }),
      Ulimits: ulimitsOf(spec.processLimits),
      // Every user may bind every port of its own loopback interface.
      Sysctls: { "net.ipv4.ip_unprivileged_port_start": "0" },
      RestartPolicy: { Name: "no" },
      // svc keeps the output itself, within the limit of the allocation.
      LogConfig: { Type: "none" },
      Binds: spec.readOnly.map((bind) => `${bind}:ro`),
      // Unlike one of Binds, its folder must exist: an engine that does not see the mounted disk reports that.
      Mounts: spec.mounts.map(({ source, path, readOnly = false }) => ({
        Type: "bind",
        Source: source,
        Target: path,
        ReadOnly: readOnly,
      })),
    },
  };
}

/** NVIDIA's runtime, if it is the engine's default, gives a container what this variable names, and images set it. */
function gpuEnv(gpus: readonly string[], driver: EngineGpuDriver | undefined): string[] {
  if (gpus.length > 0) return gpuVariables(gpus);
  return driver === undefined ? [] : ["NVIDIA_VISIBLE_DEVICES=void"];
}

/** Throws `not_supported`. */
function deviceRequest(gpus: readonly string[], driver: EngineGpuDriver | undefined): object {
  if (driver === "cdi") return { Driver: "cdi", DeviceIDs: gpus.map((uuid) => `nvidia.com/gpu=${uuid}`) };
  if (driver === "nvidia") return { Driver: "nvidia", DeviceIDs: gpus, Capabilities: [["gpu"]] };
  throw new RuntimeError(
    "not_supported",
    "The container engine has neither NVIDIA's runtime nor CDI devices, so it passes no GPUs on.",
  );
}

function limitsOf({ memoryBytes, cpuMillis, pids }: NonNullable<Allocation["limits"]>): object {
  const quota = cpuMillis && Math.max(CPU_QUOTA_US_MIN, Math.round((cpuMillis * CPU_PERIOD_US) / 1000));
  return {
    PidsLimit: pids,
    ...(memoryBytes !== undefined && { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(quota !== undefined && { CpuPeriod: CPU_PERIOD_US, CpuQuota: quota }),
  };
}

/** Both are sent always: engines whose default is above what they may set refuse to start anything otherwise. */
const ulimitsOf = ({ nofile, nproc }: ProcessLimits) => [
  { Name: "nofile", Soft: nofile, Hard: nofile },
  { Name: "nproc", Soft: nproc, Hard: nproc },
];

/** The last one of each name. */
function uniqueVariables(variables: readonly string[]): string[] {
  const byName = new Map(variables.map((variable) => [variable.split("=")[0], variable]));
  return [...byName.values()];
}

/** The hard limits of this process, which are those of the engine in most cases. */
export async function ownLimits(): Promise<ProcessLimits> {
  const text = await readFile("/proc/self/limits", "utf8");
  const hard = (name: string) => new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(text)?.[1] ?? "";
  const [files, processes] = [Number(hard("Max open files")), Number(hard("Max processes"))];
  return {
    nofile: Number.isInteger(files) ? Math.min(files, NOFILE_MAX) : NOFILE_MAX,
    nproc: Number.isInteger(processes) ? Math.min(processes, NPROC_MAX) : NPROC_MAX,
    node: await hostProcesses(),
  };
}
