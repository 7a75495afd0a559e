import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { isAlive } from "../../file-lock.mjs";
import { deferredStream } from "../deferred-stream";
import type { ExecOptions, Execution } from "../execution";
import { folderSizes } from "../folder-sizes";
import { deleteFolder } from "../namespaces/delete-folder";
import { killIfRunning } from "../namespaces/namespace-processes";
import { checkAllocation } from "../namespaces/program-of";
import { readLogs } from "../namespaces/read-logs";
import { WorkloadFolder, type WorkloadState } from "../namespaces/workload-folder";
import { writeNotice } from "../namespaces/write-notice";
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
} from "../runtime";
import { hasEnded } from "../workload-ends";
import { WorkloadGrowth, type WritingWorkloads } from "../workload-growth";
import { WorkloadLife } from "../workload-life";
import { executeProcess } from "./execute-process";
import { type PrepareProcessParts, prepareProcess } from "./prepare-process";
import { MARK, markOf } from "./process-environment";
import { endProcesses, signalProcesses, type WorkloadOwner } from "./workload-processes";

export interface ProcessRuntimeParts extends PrepareProcessParts {
  /** Absolute; has one folder per workload. */
  dir: string;
  /** Of its disk; absent: it is not watched. */
  space: { readonly isLow: boolean } | undefined;
}

type State = Exclude<WorkloadState, { state: "lost" }>;

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const ISOLATION =
  "None: plain processes of the node, with the rights, the files and the network of the user of svc. For pods of test keys only.";

/**
 * Runs the programs of images as plain processes of the node, for nodes where nothing else works. Their own paths
 * are those of the node: only the command, its loader, its libraries and its interpreter are taken from the image.
 */
export class ProcessRuntime implements LocalRuntime {
  readonly kind = "process";
  readonly isolation = ISOLATION;
  readonly limitsEnforced = false;
  readonly gpu = "none";
  readonly snapshots = false;
  readonly ports = false;
  readonly imageCacheBytes: number;
  readonly disks: WorkloadGrowth | undefined;
  readonly enforcedLimits = new Set<never>();
  readonly gaps: ReadonlySet<RuntimeGap> = new Set(["isolation", "terminals", "escaped_processes"]);
  readonly addedVariables: readonly string[] = [MARK];
  readonly #life = new WorkloadLife((id) => this.#stateOf(id));
  readonly #closing = new AbortController();

  constructor(readonly parts: ProcessRuntimeParts) {
    this.imageCacheBytes = parts.pull.cache.parts.bytesMax;
    this.disks = parts.space && new WorkloadGrowth(this.#writing(), parts.space);
  }

  async ensure(allocation: Allocation, { restore }: { restore?: Readable | undefined } = {}): Promise<StartReport> {
    restore?.on("error", () => {}).destroy();
    checkAllocation(allocation);
    if (restore) throw unsupported("have no snapshots");
    if (allocation.gpus && allocation.gpus.length > 0) throw unsupported("get no GPUs");
    return this.#start(allocation);
  }

  prefetch(reference: string, { bytesMax, signal }: PrefetchOptions): Promise<PrefetchedImage> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    return prefetchImage(this.parts.pull, reference, { bytesMax, signal: either });
  }

  observe(id: string): Promise<Observation> {
    return this.#life.observe(id);
  }

  async signal(id: string, signal: NodeJS.Signals): Promise<void> {
    const running = await this.#life.ifRunning(id);
    if (running) await signalProcesses(this.#ownerOf(id, running), signal);
  }

  async notify(id: string, name: string, contents: string): Promise<void> {
    if (await this.#life.ifRunning(id)) await writeNotice(this.#folder(id).file("notices"), name, contents);
  }

  async terminate(id: string, graceSeconds: number): Promise<Observation> {
    await this.#life.starts.interrupt(id);
    return this.#life.terminate(id, async () => ({
      graceSeconds,
      isPaused: (await this.disks?.isPaused(id)) === true,
      stop: (running) => async () => {
        await signalProcesses(this.#ownerOf(id, running), (await this.#folder(id).notes()).stopSignal);
        return true;
      },
      kill: (running) => endProcesses(this.#ownerOf(id, running)),
    }));
  }

  logs(id: string, options: LogOptions = {}): Readable {
    const isOver = async () => hasEnded(await this.observe(id));
    return readLogs({ ...options, dir: this.#folder(id).file("log"), hasEnded: isOver });
  }

  async exec(id: string, command: readonly string[], options: ExecOptions = {}): Promise<Execution> {
    const { process: first } = await this.#life.running(id);
    if (options.terminal) throw unsupported("have no terminals");
    const folder = this.#folder(id);
    return executeProcess({
      ...options,
      command,
      folder,
      first,
      architecture: this.parts.pull.architecture,
    });
  }

  async connect(): Promise<never> {
    throw unsupported("have no ports of their own");
  }

  snapshot(): Readable {
    return deferredStream(Promise.reject(unsupported("have no snapshots")));
  }

  async list(): Promise<string[]> {
    await mkdir(this.parts.dir, { recursive: true, mode: 0o700 });
    const ids = (await readdir(this.parts.dir)).filter((name) => ID.test(name));
    return [...new Set([...ids, ...this.#life.starts.ids()])];
  }

  async remove(id: string): Promise<void> {
    await this.terminate(id, 0);
    if (ID.test(id)) await removeWorkload(this.#folder(id));
  }

  async close(): Promise<void> {
    this.#closing.abort(new RuntimeError("terminated", "The runtime is closed."));
    await this.#life.starts.interruptAll();
  }

  #start(allocation: Allocation): Promise<StartReport> {
    const folder = this.#folder(allocation.id);
    return this.#life.start(allocation, {
      prepare: (signal) => prepareProcess(this.parts, { allocation, folder, signal }),
      cleanUp: () => removeWorkload(folder),
    });
  }

  /** A workload whose supervisor has been killed is ended, because nothing would record its end or take its output. */
  async #stateOf(id: string): Promise<State> {
    if (!ID.test(id)) return { state: "absent" };
    const folder = this.#folder(id);
    const state = await folder.state();
    if (state.state !== "lost") return state;
    await endProcesses({ mark: markOf(folder.dir), first: state.process });
    if (!state.startedAt) return { state: "absent" };
    await folder.writeLost();
    return this.#stateOf(id);
  }

  #writing(): WritingWorkloads {
    return {
      dir: this.parts.dir,
      signal: (id, signal) => this.signal(id, signal),
      kill: async (id) => {
        await this.terminate(id, 0);
      },
      sizes: async () => {
        const folders = (await this.list()).map((id) => this.#folder(id).dir);
        return new Map([...(await folderSizes(folders))].map(([dir, bytes]) => [path.basename(dir), bytes]));
      },
    };
  }

  #ownerOf(id: string, state: Extract<State, { state: "running" }>): WorkloadOwner {
    return { mark: markOf(this.#folder(id).dir), supervisor: state.supervisor, first: state.process };
  }

  #folder(id: string): WorkloadFolder {
    return new WorkloadFolder(path.join(this.parts.dir, id));
  }
}

/** Ends what runs of a workload, and deletes everything of it. */
export async function removeWorkload(folder: WorkloadFolder): Promise<void> {
  const state = await folder.state();
  const supervisor = state.state === "running" ? state.supervisor : undefined;
  const first = "process" in state ? state.process : undefined;
  await endProcesses({ mark: markOf(folder.dir), supervisor, first });
  if (supervisor && isAlive(supervisor)) killIfRunning(supervisor.pid, "SIGKILL");
  await deleteFolder(folder.dir);
}

const unsupported = (what: string): RuntimeError =>
  new RuntimeError("not_supported", `Pods that are plain processes of the node (RUNTIME=process) ${what}.`);
