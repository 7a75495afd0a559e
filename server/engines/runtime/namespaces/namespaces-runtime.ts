import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Duplex, Readable } from "node:stream";
import { KeyedQueue } from "../../../kernel/keyed-queue";
import { codeOf } from "../../file-failures";
import { deferredStream } from "../deferred-stream";
import type { ExecOptions, Execution } from "../execution";
import { connectInside } from "../network/connect-inside";
import type { OutboundSocket } from "../network/outbound-socket";
import { prefetchImage } from "../oci/prefetch-image";
import {
  type Allocation,
  type LocalRuntime,
  type LogOptions,
  type Observation,
  type PrefetchedImage,
  type PrefetchOptions,
  RuntimeError,
  type RuntimeGap,
  type StartReport,
  type WorkloadLimits,
} from "../runtime";
import { whenRead } from "../when-read";
import { hasEnded } from "../workload-ends";
import { WorkloadLife, withRestored } from "../workload-life";
import { executeProgram } from "./execute-program";
import { signalNamespace, stopOf } from "./namespace-processes";
import { opaqueFolders } from "./overlay-marks";
import { type PrepareParts, prepareWorkload } from "./prepare-workload";
import type { PrivateNetworks } from "./private-networks";
import { checkAllocation } from "./program-of";
import { readLogs } from "./read-logs";
import { snapshotFiles } from "./snapshot-files";
import type { VolumeStore } from "./volume-store";
import { attachDisk, deleteDisk, detachDisk } from "./workload-disk";
import type { WorkloadDisks } from "./workload-disks";
import { WorkloadFolder, type WorkloadState } from "./workload-folder";
import { isSingleUser, type WorkloadIds } from "./workload-ids";

export interface NamespacesRuntimeParts extends PrepareParts {
  /** Absolute; has one folder per workload. */
  dir: string;
  disks: WorkloadDisks;
  /** Closed with the runtime. */
  outbound: OutboundSocket;
}

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const ISOLATION =
  "Namespaces of the Linux kernel (users, processes, files, network, IPC), with a filter of system calls, without privileges on the node and with HTTP through svc as their only network; workloads share its kernel.";

/** What is to be known about the users of workloads. */
function usersOf(ids: WorkloadIds): string[] {
  if (isSingleUser(ids)) return ["All users of a workload are the user of svc."];
  return ids.areOwn ? [] : ["Workloads share their users on the node, and what the kernel allows to a user."];
}

/** Runs workloads with the kernel's namespaces, an overlay file system and control groups, without an engine. */
export class NamespacesRuntime implements LocalRuntime {
  readonly kind = "namespaces";
  readonly isolation: string;
  readonly gpu = "nvidia";
  readonly limitsEnforced: boolean;
  readonly imageCacheBytes: number;
  readonly enforcedLimits: ReadonlySet<keyof WorkloadLimits>;
  readonly gaps: ReadonlySet<RuntimeGap>;
  readonly addedVariables: readonly string[] = [];
  readonly volumes: VolumeStore;
  readonly networks: PrivateNetworks | undefined;
  readonly disks: WorkloadDisks;
  readonly #life = new WorkloadLife((id) => this.#stateOf(id));
  readonly #closing = new AbortController();
  /** Of what mounts, unmounts and deletes the disk of a workload. */
  readonly #turns = new KeyedQueue();
  /** How many snapshots of a workload are being read. */
  readonly #readers = new Map<string, number>();
  /** Workloads that have ended and keep nothing but their files. */
  readonly #givenBack = new Set<string>();

  constructor(readonly parts: NamespacesRuntimeParts) {
    this.volumes = parts.volumes;
    this.networks = parts.networks;
    this.disks = parts.disks;
    this.imageCacheBytes = parts.pull.cache.parts.bytesMax;
    this.limitsEnforced = parts.cgroups !== undefined && parts.hasDisks;
    this.gaps = new Set(parts.cgroups === undefined ? (["escaped_processes"] as const) : []);
    const byCgroups = parts.cgroups === undefined ? [] : (["memoryBytes", "cpuMillis", "pids"] as const);
    this.enforcedLimits = new Set([...byCgroups, ...(parts.hasDisks ? (["diskBytes"] as const) : [])]);
    this.isolation = [ISOLATION, ...usersOf(parts.ids)].join(" ");
  }

  ensure(allocation: Allocation, { restore }: { restore?: Readable | undefined } = {}): Promise<StartReport> {
    return withRestored(restore, async () => {
      checkAllocation(allocation);
      return this.#start(allocation, restore);
    });
  }

  prefetch(reference: string, { bytesMax, signal }: PrefetchOptions): Promise<PrefetchedImage> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    return prefetchImage(this.parts.pull, reference, { bytesMax, signal: either });
  }

  async observe(id: string): Promise<Observation> {
    const seen = await this.#life.observe(id);
    if (seen.state === "exited") await this.#giveBack(id);
    return seen;
  }

  async signal(id: string, signal: NodeJS.Signals): Promise<void> {
    const running = await this.#life.ifRunning(id);
    if (running) await signalNamespace(running.process, signal);
  }

  async notify(id: string, name: string, contents: string): Promise<void> {
    if (await this.#life.ifRunning(id)) await this.#folder(id).writeNotice(name, contents);
  }

  async terminate(id: string, graceSeconds: number): Promise<Observation> {
    await Promise.all([this.#life.starts.interrupt(id), this.volumes.interrupt(id)]);
    await this.#life.terminate(id, async () => {
      const { stopSignal } = await this.#folder(id).notes();
      return {
        graceSeconds,
        isPaused: await this.disks.isPaused(id),
        stop: ({ process }) => stopOf(process, stopSignal),
        kill: ({ process }) => signalNamespace(process, "SIGKILL"),
      };
    });
    return this.observe(id);
  }

  logs(id: string, options: LogOptions = {}): Readable {
    const isOver = async () => hasEnded(await this.observe(id));
    return readLogs({ ...options, dir: this.#folder(id).file("log"), hasEnded: isOver });
  }

  async exec(id: string, command: readonly string[], options: ExecOptions = {}): Promise<Execution> {
    const { process, supervisor } = await this.#life.running(id);
    const { scripts, cgroups } = this.parts;
    const notes = await this.#folder(id).notes();
    const ids = (await this.#folder(id).ids()) ?? this.parts.ids;
    const cgroupFolders = cgroups?.ofProgram(id) ?? [];
    return executeProgram({ ...options, scripts, ids, notes, cgroupFolders, command, process, supervisor });
  }

  async connect(id: string, port: number): Promise<Duplex> {
    await this.#life.running(id);
    return connectInside(this.#folder(id).file("inbound"), port);
  }

  snapshot(id: string): Readable {
    this.#readers.set(id, (this.#readers.get(id) ?? 0) + 1);
    return whenRead(deferredStream(this.#snapshotOf(id)), async () => {
      const left = (this.#readers.get(id) ?? 1) - 1;
      if (left > 0) this.#readers.set(id, left);
      else this.#readers.delete(id);
      this.#givenBack.delete(id);
      await this.observe(id).catch(() => {});
    });
  }

  async list(): Promise<string[]> {
    await mkdir(this.parts.dir, { recursive: true, mode: 0o700 });
    const ids = (await readdir(this.parts.dir)).filter((name) => ID.test(name));
    return [...new Set([...ids, ...this.#life.starts.ids()])];
  }

  async remove(id: string): Promise<void> {
    await this.terminate(id, 0);
    await this.parts.cgroups?.remove(id);
    await this.#deleteFolder(this.#folder(id));
    this.#givenBack.delete(id);
  }

  /** Unmounts what workloads have left that ended while no process of svc ran. */
  async takeOver(): Promise<void> {
    await this.#giveBackAll();
    await this.volumes.takeOver(await this.disks.volumesInUse());
  }

  async #giveBackAll(): Promise<void> {
    const ids = (await readdir(this.parts.dir).catch(() => [])).filter((name) => ID.test(name));
    for (const id of ids) await this.observe(id);
  }

  async close(): Promise<void> {
    this.#closing.abort(CLOSED());
    await Promise.all([this.#life.starts.interruptAll(), this.volumes.close()]);
    // Some may have ended since they were looked at.
    await this.#giveBackAll();
    await this.parts.outbound.close();
  }

  #start(allocation: Allocation, restore: Readable | undefined): Promise<StartReport> {
    const folder = this.#folder(allocation.id);
    return this.#life.start(allocation, {
      prepare: async (signal) => {
        await mkdir(folder.dir, { recursive: true, mode: 0o700 });
        return prepareWorkload(this.parts, { allocation, restore, signal, folder });
      },
      cleanUp: async () => {
        const state = await folder.state();
        if ("process" in state && state.process) await signalNamespace(state.process, "SIGKILL");
        await this.parts.cgroups?.remove(allocation.id);
        await this.#deleteFolder(folder);
        await this.volumes.release(allocation.id);
      },
      // The code of a failed system call, without the paths that its message contains.
      reasonOf: (cause) => (codeOf(cause) === undefined ? undefined : String(codeOf(cause))),
    });
  }

  /** A workload whose supervisor has been killed is ended, because nothing would record its end or take its output. */
  async #stateOf(id: string): Promise<Exclude<WorkloadState, { state: "lost" }>> {
    if (!ID.test(id)) return { state: "absent" };
    const folder = this.#folder(id);
    const state = await folder.state();
    if (state.state !== "lost") return state;
    if (state.process) await signalNamespace(state.process, "SIGKILL");
    if (!state.startedAt) return { state: "absent" };
    await folder.writeLost();
    return this.#stateOf(id);
  }

  async #snapshotOf(id: string): Promise<Readable> {
    const { state } = await this.#stateOf(id);
    if (state === "absent") throw new RuntimeError("not_found", "There is no such workload.");
    await this.#turns.run(id, () => attachDisk(this.#folder(id)));
    const root = this.#folder(id).file("data/upper");
    const opaque = await opaqueFolders(this.parts.scripts, root);
    return snapshotFiles({ root, opaque, idBase: this.parts.ids.first });
  }

  /**
   * A workload that has ended keeps its files, output and end; its control groups, its place in a private network, and
   * mounts of its disk and volumes that nothing else needs are given back. A disk that is being read stays mounted until
   * the next call.
   */
  async #giveBack(id: string): Promise<void> {
    if (this.#givenBack.has(id)) return;
    const folder = this.#folder(id);
    const isFree = await this.#turns.run(id, async () => !this.#readers.has(id) && (await detachDisk(folder)));
    await this.parts.cgroups?.remove(id);
    await this.volumes.release(id);
    const { network } = (await folder.notes().catch(() => undefined)) ?? {};
    await this.networks?.forget(id, network);
    if (isFree) this.#givenBack.add(id);
  }

  /** With its place in a private network. */
  async #deleteFolder(folder: WorkloadFolder): Promise<void> {
    const id = path.basename(folder.dir);
    const { network } = (await folder.notes().catch(() => undefined)) ?? {};
    await this.#turns.run(id, () => deleteDisk(folder));
    await this.networks?.forget(id, network);
  }

  #folder(id: string): WorkloadFolder {
    return new WorkloadFolder(path.join(this.parts.dir, id));
  }
}

const CLOSED = () => new RuntimeError("terminated", "The runtime is closed.");
