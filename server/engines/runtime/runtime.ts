import type { Duplex, Readable } from "node:stream";
import type { DiskWriters } from "../disk-space/disk-writers";
import type { ExecOptions, Execution } from "./execution";
import type { JoinedNetwork, RuntimeNetworks } from "./runtime-networks";
import type { MountedVolume, RuntimeVolumes } from "./runtime-volumes";

/** What a runtime gives to each workload; it does not change while svc runs. */
export interface RuntimeCapabilities {
  kind: "namespaces" | "docker" | "kubernetes" | "process";
  /** One sentence for people: what separates workloads from each other and from the node. */
  isolation: string;
  /** Whether every limit of an allocation is enforced; false: at least one is ignored. */
  limitsEnforced: boolean;
  /** Which GPUs it can pass on; `none`: an allocation with `gpus` fails with `not_supported`. */
  gpu: "none" | "nvidia";
  /** false: `snapshot` and `restore` fail with `not_supported`. */
  snapshots?: false;
  /** false: workloads have no network, even if their allocation asks for one, and `connect` fails with `not_supported`. */
  ports?: false;
  /** How many bytes of images it keeps beside those in use; absent: `prefetch` fails with `not_supported`. */
  imageCacheBytes?: number;
}

/** A runtime of this node, with what it declares in detail: its tests hold it to all that it does not except. */
export interface LocalRuntime extends Runtime {
  enforcedLimits: ReadonlySet<keyof WorkloadLimits>;
  /** What Runtime promises and this one does not do. */
  gaps: ReadonlySet<RuntimeGap>;
  /** Variables that every workload has besides PATH, HOME and its own. */
  addedVariables: readonly string[];
}

export type RuntimeGap =
  /** Standard output and standard error may arrive in another order than they were written. */
  | "output_order"
  /** `oomKilled` may be false although the kernel killed a process because of the memory limit. */
  | "oom_report"
  /** A further program may begin before its terminal has its size, which it then gets at once. */
  | "terminal_size"
  /** An image whose /run is not a folder is not started. */
  | "image_without_run"
  /**
   * Workloads are processes of the node: paths that their programs use are those of the node, and they have its
   * users, host name, network and privileges.
   */
  | "isolation"
  /** `exec` with a terminal fails with `not_supported`. */
  | "terminals"
  /**
   * `end` of an execution does not find a process that has left the session of the program, has another environment, and
   * whose parents have ended. It runs on until the workload ends.
   */
  | "escaped_processes";

/** Runs workloads from container images. Every method may be called again after a crash, by any process of svc. */
export interface Runtime extends RuntimeCapabilities {
  /** Absent: an allocation with volumes fails with `not_supported`. */
  volumes?: RuntimeVolumes | undefined;
  /** The disks in which workloads write, if they are on the disk of the data directory of this process. */
  disks?: WorkloadWriters | undefined;
  /** Absent: an allocation with a private network fails with `not_supported`. */
  networks?: RuntimeNetworks | undefined;
  /**
   * Pulls the image and starts the workload; resolves when its process runs. A workload starts at most once per
   * `allocation.id`: a call for one that is preparing waits for it, and one for a workload that runs or has exited
   * resolves at once, without reading `restore`. To run again, use a new id.
   *
   * `restore` is a stream that `snapshot` returned, possibly of another workload of the same image: its files are in
   * place before the process starts. The stream is destroyed when it is not needed.
   *
   * Rejects with RuntimeError; nothing is left behind then, and the next call starts from the beginning. A call that
   * `terminate` or `remove` interrupts rejects with `terminated`.
   */
  ensure(allocation: Allocation, options?: { restore?: Readable | undefined }): Promise<StartReport>;
  /**
   * Keeps a public image ready, so that the next start of it downloads nothing: it is pulled unless it is here, and counts
   * as just used. Its registry is asked again after an hour. Never takes space from images in use. Rejects with
   * RuntimeError, `image_too_large` above `bytesMax`, or the reason of `signal`; layers that are complete by then stay.
   */
  prefetch(reference: string, options: PrefetchOptions): Promise<PrefetchedImage>;
  /** Never rejects for an unknown id, which is `absent`. */
  observe(id: string): Promise<Observation>;
  /** Sends a signal to every process of the workload; does nothing unless it runs. */
  signal(id: string, signal: NodeJS.Signals): Promise<void>;
  /**
   * Puts a file into the folder /run/svc of a running workload, which can read it but not change it; one with the same
   * name is replaced at once. `name` is 1 to 64 characters of `[a-z0-9_.-]`, the first one a letter or digit. The folder
   * belongs to this run: it is in no snapshot. Does nothing unless the workload runs. An image whose /run is not a folder
   * has no /run/svc.
   */
  notify(id: string, name: string, contents: string): Promise<void>;
  /**
   * Interrupts a preparation, or sends the allocation's stop signal to every process and, after `graceSeconds`, SIGKILL.
   * Resolves with the final state, `exited` or `absent`. A second call may shorten the grace.
   */
  terminate(id: string, graceSeconds: number): Promise<Observation>;
  /**
   * Standard output and standard error of the workload, merged in the order of arrival, oldest first. At least seven
   * eighths of `Allocation.logBytesMax` are kept, and never more than it. Destroy the stream to stop it. An unknown id
   * gives an empty stream.
   */
  logs(id: string, options?: LogOptions): Readable;
  /**
   * Starts a further process in a running workload, with its limits, user, environment and working directory. Rejects
   * with `not_running`, or `start_failed` when the program does not exist or has not started within 30 s. It ends when
   * the workload ends.
   */
  exec(id: string, command: readonly string[], options?: ExecOptions): Promise<Execution>;
  /**
   * A connection to a TCP port of a running workload's loopback interface; it ends when the workload ends. Rejects with
   * `not_running`, and with `port_closed` if nothing accepts it there or the workload was started without a network.
   */
  connect(id: string, port: number): Promise<Duplex>;
  /**
   * The files that the workload has changed in its image, without its volumes, as an uncompressed tar archive in the layer format of OCI
   * (deletions are `.wh.` entries). It may run or have exited; while it runs, files that change meanwhile may be torn,
   * so stop it, or let it write a checkpoint, first. The stream fails with `not_found` for an unknown id. Sockets,
   * extended attributes and files whose names are not UTF-8 are left out.
   */
  snapshot(id: string): Readable;
  /** Ids of all workloads that use anything on this node, exited ones included. */
  list(): Promise<string[]>;
  /** Ends the workload with SIGKILL if it runs, and deletes everything of it. Succeeds for an unknown id. */
  remove(id: string): Promise<void>;
  /** Releases what this process holds, and interrupts its preparations. Workloads keep running. */
  close(): Promise<void>;
}

export interface WorkloadWriters extends DiskWriters {
  /** The ids of the workloads that are paused. */
  paused(): Promise<string[]>;
}

/** What a start has done. */
export interface StartReport {
  /** What was downloaded of the image, 0 if all of it was here; null: not known, because something else started or pulled it. */
  pulledBytes: number | null;
}

export interface PrefetchOptions {
  /** Of the image as it is downloaded, and as it is unpacked. */
  bytesMax: number;
  signal: AbortSignal;
}

export interface PrefetchedImage {
  /** On the disk. */
  bytes: number;
}

/** What to run. Fields that are absent come from the image. */
export interface Allocation {
  /** 1 to 64 characters of `[a-z0-9_-]`, the first one a letter or digit; also names files and cgroups. */
  id: string;
  image: ImageSource;
  /** Replaces ENTRYPOINT and CMD of the image. */
  command?: readonly string[] | undefined;
  /** Replaces CMD of the image; ignored with `command`. */
  args?: readonly string[] | undefined;
  /** Added to the image's environment, which it overrides. 64 KiB in all. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Absolute; created if it is missing. */
  workingDir?: string | undefined;
  /** `name`, `uid`, `name:group` or `uid:gid` of the image. */
  user?: string | undefined;
  /** Default: the id. */
  hostname?: string | undefined;
  limits?: WorkloadLimits | undefined;
  /** Must exist. Their files stay when the workload is removed; several workloads may have one at a time. */
  volumes?: readonly MountedVolume[] | undefined;
  /**
   * UUIDs of NVIDIA GPUs of the node, of which the workload has only these, with the user libraries of the driver. Its
   * NVIDIA_VISIBLE_DEVICES and NVIDIA_DRIVER_CAPABILITIES are those of the runtime.
   */
  gpus?: readonly string[] | undefined;
  /**
   * A workload has only a loopback interface, to which it may bind any port. With `http`, a proxy on PROXY_PORT of that
   * interface passes HTTP and HTTPS to public addresses (variables such as HTTPS_PROXY name it), and `connect` reaches
   * the workload's ports.
   */
  network: "none" | "http";
  /** A private network of the node, which is made if it does not exist. Only with `http`, and as its state allows. */
  privateNetwork?: JoinedNetwork | undefined;
  /** How much of its output is kept, 64 KiB to 1 GiB; default 16 MiB. */
  logBytesMax?: number | undefined;
}

export interface ImageSource {
  /** As in `docker pull`: `alpine`, `ghcr.io/owner/name:tag`, `registry:5000/name@sha256:…`. */
  reference: string;
  /** Sent to the reference's registry and the token server that it names, and never stored. */
  credentials?: RegistryCredentials | undefined;
  /** Whose it is, such as the id of a tenant: owners take turns with their pulls. Absent: all those without one. */
  owner?: string | undefined;
}

export interface RegistryCredentials {
  username: string;
  password: string;
}

/** All are enforced only if `limitsEnforced`; memory and CPU are unlimited by default. */
export interface WorkloadLimits {
  memoryBytes?: number | undefined;
  /** Thousandths of one CPU. */
  cpuMillis?: number | undefined;
  /** Processes and threads; default 4096. */
  pids?: number | undefined;
  /** Of everything that it writes to its file system; at least 16 MiB, default 10 GiB. */
  diskBytes?: number | undefined;
}

export type Observation =
  | { state: "absent" }
  /** The image is pulled, or the process is about to start. */
  | { state: "preparing" }
  | { state: "running"; startedAt: Date }
  | Exited;

export interface Exited {
  state: "exited";
  /**
   * Of the image's first process; null if a signal ended it, or the cause is `supervisor_lost`. Container engines report
   * a signal as 128 and its number, so with them a program that exits with such a code counts as ended by the signal.
   */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Whether the kernel killed a process of the workload because of the memory limit. */
  oomKilled: boolean;
  startedAt: Date;
  /** With `supervisor_lost`: when that was noticed. */
  exitedAt: Date;
  /** `supervisor_lost`: the node restarted or the supervisor was killed, and the workload was killed with it. */
  cause: "exit" | "supervisor_lost";
}

export interface LogOptions {
  /** Goes on until the workload has exited; default false: ends with what exists. */
  follow?: boolean | undefined;
  /** Starts with the last so many bytes; default: with the oldest that are kept. */
  tailBytes?: number | undefined;
}

export type RuntimeErrorReason =
  | ImageErrorReason
  | "invalid_allocation"
  | "not_found"
  | "not_running"
  /** This runtime cannot do it at all. */
  | "not_supported"
  | "port_closed"
  | "no_disk_space"
  | "volume_missing"
  /** Workloads use it, and this node can enlarge it only while none does. */
  | "volume_busy"
  /** The kernel has not ended a process 30 s after SIGKILL, which storage that does not respond can cause. */
  | "not_ended"
  /** The message says which step failed, such as a program that the image does not contain. */
  | "start_failed"
  | "terminated";

export type ImageErrorReason =
  | "image_invalid"
  | "image_not_found"
  | "image_too_large"
  /** The image exists, but not for this node's architecture, or in a format that is not supported. */
  | "image_unsupported"
  | "digest_mismatch"
  | "registry_unauthorized"
  | "registry_unreachable"
  | "registry_failed";

/** The message is a sentence for the owner of the workload; it names the image and the registry if they matter. */
export class RuntimeError extends Error {
  constructor(
    readonly reason: RuntimeErrorReason,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "RuntimeError";
  }
}
