import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Duplex, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { deferredStream } from "../deferred-stream";
import type { ExecOptions, Execution } from "../execution";
import { deleteFolder } from "../namespaces/delete-folder";
import { signalNamespace, stopOf } from "../namespaces/namespace-processes";
import { opaqueFolders } from "../namespaces/overlay-marks";
import { checkAllocation } from "../namespaces/program-of";
import { readLogs } from "../namespaces/read-logs";
import { snapshotFiles } from "../namespaces/snapshot-files";
import type { VolumeStore } from "../namespaces/volume-store";
import { writeNotice } from "../namespaces/write-notice";
import { connectInside } from "../network/connect-inside";
import type { OutboundSocket } from "../network/outbound-socket";
import {
  type Allocation,
  type LocalRuntime,
  type LogOptions,
  type Observation,
  type PrefetchedImage,
  RuntimeError,
  type RuntimeGap,
  type StartReport,
  type WorkloadLimits,
} from "../runtime";
import { hasEnded } from "../workload-ends";
import { WorkloadGrowth, type WritingWorkloads } from "../workload-growth";
import { WorkloadLife, withRestored } from "../workload-life";
import { ContainerFolder } from "./container-folder";
import { type ContainerState, containerState, type InspectedContainer } from "./container-state";
import { EngineError } from "./engine-client";
import { execInContainer } from "./exec-in-container";
import { launchKeeper } from "./launch-keeper";
import { type ContainerParts, deleteContainer, prepareContainer, upperFolderOf } from "./prepare-container";

export interface DockerRuntimeParts extends ContainerParts {
  /** Absolute; has one folder per workload. */
  dir: string;
  /** Tells the containers of this installation from those of others. */
  installation: string;
  isolation: string;
  enforcedLimits: ReadonlySet<keyof WorkloadLimits>;
  addedVariables: readonly string[];
  /** Of the disk that has the files of containers; absent: it is not watched. */
  space: { readonly isLow: boolean } | undefined;
  /** For the connections of all workloads to the internet; closed with the runtime. */
  outbound: OutboundSocket;
}

interface ListedContainer {
  Labels: Record<string, string>;
  State?: string | undefined;
  Mounts?: { Source?: string | undefined }[] | undefined;
  /** Of its own files, if that was asked for. */
  SizeRw?: number | null | undefined;
}

type State = { state: "absent" } | { state: "starting" } | Exclude<ContainerState, { state: "created" }>;

const POLL_MS = 20;
const DRAIN_MS_MAX = 2000;
const LIMITS = 4;
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const INSTALLATION_LABEL = "svc.installation";
const ALLOCATION_LABEL = "svc.allocation";
/** What engines make in a container's files as places for what they mount, and which is no change of the workload. */
const MOUNT_PLACES = new Set([
  "dev",
  "proc",
  "sys",
  ".dockerenv",
  "etc/hosts",
  "etc/hostname",
  "etc/resolv.conf",
  "etc/mtab",
  "run/.containerenv",
  "run/secrets",
  "run/svc",
]);

/** Runs workloads in containers of an engine that speaks Docker's API. */
export class DockerRuntime implements LocalRuntime {
  readonly kind = "docker";
  readonly gpu: "none" | "nvidia";
  readonly isolation: string;
  readonly limitsEnforced: boolean;
  readonly enforcedLimits: ReadonlySet<keyof WorkloadLimits>;
  readonly gaps: ReadonlySet<RuntimeGap> = new Set([
    "output_order",
    "oom_report",
    "terminal_size",
    "image_without_run",
    "escaped_processes",
  ]);
  readonly addedVariables: readonly string[];
  readonly volumes: VolumeStore;
  readonly disks: WorkloadGrowth | undefined;
  readonly #life = new WorkloadLife((id) => this.#stateOf(id));
  /** Keepers that are being started again. */
  readonly #keepers = new Map<string, Promise<void>>();

  constructor(readonly parts: DockerRuntimeParts) {
    this.gpu = parts.gpuDriver === undefined ? "none" : "nvidia";
    this.isolation = parts.isolation;
    this.volumes = parts.volumes;
    this.disks = parts.space && new WorkloadGrowth(this.#writing(), parts.space);
    this.enforcedLimits = parts.enforcedLimits;
    this.limitsEnforced = parts.enforcedLimits.size === LIMITS;
    this.addedVariables = parts.addedVariables;
  }

  ensure(allocation: Allocation, { restore }: { restore?: Readable | undefined } = {}): Promise<StartReport> {
    return withRestored(restore, async () => {
      checkAllocation(allocation);
      return this.#start(allocation, restore);
    });
  }

  /** Its images stay in the engine until others need their space. */
  async prefetch(): Promise<PrefetchedImage> {
    throw new RuntimeError("not_supported", "Images are not prefetched into container engines.");
  }

  async connect(id: string, port: number): Promise<Duplex> {
    await this.#life.running(id);
    return connectInside(this.#folder(id).file("inbound"), port);
  }

  async observe(id: string): Promise<Observation> {
    const seen = await this.#life.observe(id);
    if (seen.state === "exited") await this.volumes.release(id);
    return seen;
  }

  /** Unmounts the volumes that an earlier process has left mounted for containers that have ended. */
  async takeOver(): Promise<void> {
    const containers = await this.#containers("all=true");
    const active = containers.filter(({ State }) => State !== "exited" && State !== "dead");
    const foldersOf = ({ Mounts = [] }: ListedContainer) =>
      new Set(Mounts.map(({ Source = "" }) => path.dirname(path.dirname(Source))));
    await this.volumes.takeOver(new Map(active.map((one) => [one.Labels[ALLOCATION_LABEL] ?? "", foldersOf(one)])));
  }

  async signal(id: string, signal: NodeJS.Signals): Promise<void> {
    const running = await this.#life.ifRunning(id);
    if (running?.process) await signalNamespace(running.process, signal);
  }

  async notify(id: string, name: string, contents: string): Promise<void> {
    if (await this.#life.ifRunning(id)) await writeNotice(this.#folder(id).file("notices"), name, contents);
  }

  async terminate(id: string, graceSeconds: number): Promise<Observation> {
    await Promise.all([this.#life.starts.interrupt(id), this.volumes.interrupt(id)]);
    await this.#life.terminate(id, async () => {
      const stopSignal = (await this.#folder(id).notes())?.stopSignal ?? "SIGTERM";
      return {
        graceSeconds,
        isPaused: (await this.disks?.isPaused(id)) === true,
        stop: ({ process }) => (process ? stopOf(process, stopSignal) : async () => false),
        kill: () => this.#kill(id),
      };
    });
    return this.observe(id);
  }

  logs(id: string, options: LogOptions = {}): Readable {
    const folder = this.#folder(id);
    const isOver = async () => hasEnded(await this.observe(id));
    return readLogs({ ...options, dir: folder.file("log"), hasEnded: isOver });
  }

  async exec(id: string, command: readonly string[], options: ExecOptions = {}): Promise<Execution> {
    await this.#life.running(id);
    return execInContainer({ ...options, engine: this.parts.engine, container: this.#name(id), command });
  }

  snapshot(id: string): Readable {
    return deferredStream(this.#snapshotOf(id));
  }

  async list(): Promise<string[]> {
    const { dir } = this.parts;
    const containers = await this.#containers("all=true");
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const ids = [...containers.map(({ Labels }) => Labels[ALLOCATION_LABEL] ?? ""), ...(await readdir(dir))];
    return [...new Set([...ids.filter((id) => ID.test(id)), ...this.#life.starts.ids()])];
  }

  async remove(id: string): Promise<void> {
    await this.terminate(id, 0);
    if (!ID.test(id)) return;
    await deleteContainer(this.parts.engine, this.#name(id), { force: true });
    await deleteFolder(this.#folder(id).dir);
    await this.volumes.release(id);
  }

  async close(): Promise<void> {
    await Promise.all([this.#life.starts.interruptAll(), this.volumes.close()]);
    await this.parts.outbound.close();
  }

  /** Of this installation, by default only those that run. */
  #containers(query: string): Promise<ListedContainer[]> {
    const { engine, installation } = this.parts;
    const filters = encodeURIComponent(JSON.stringify({ label: [`${INSTALLATION_LABEL}=${installation}`] }));
    return engine.json({ path: `/containers/json?${query}&filters=${filters}` });
  }

  #writing(): WritingWorkloads {
    return {
      dir: this.parts.dir,
      signal: (id, signal) => this.signal(id, signal),
      kill: (id) => this.#kill(id),
      sizes: async () => {
        const containers = await this.#containers("size=true");
        return new Map(containers.map(({ Labels, SizeRw }) => [Labels[ALLOCATION_LABEL] ?? "", SizeRw ?? 0]));
      },
    };
  }

  #start(allocation: Allocation, restore: Readable | undefined): Promise<StartReport> {
    const { id } = allocation;
    const labels = { [INSTALLATION_LABEL]: this.parts.installation, [ALLOCATION_LABEL]: id };
    const [folder, name] = [this.#folder(id), this.#name(id)];
    return this.#life.start(allocation, {
      prepare: (signal) => prepareContainer(this.parts, { allocation, restore, signal, folder, labels, name }),
      cleanUp: async () => {
        await deleteContainer(this.parts.engine, name, { force: true });
        await deleteFolder(folder.dir);
        await this.volumes.release(id);
      },
      reasonOf: (cause) => (cause instanceof EngineError ? cause.message : undefined),
    });
  }

  /** A container that exists, has not started and has no keeper that will start it counts as absent. */
  async #stateOf(id: string): Promise<State> {
    if (!ID.test(id)) return { state: "absent" };
    const folder = this.#folder(id);
    // Asked before the engine, so that a start that ends meanwhile is not missed.
    const isKept = await folder.isKept();
    const found = await this.parts.engine.find<InspectedContainer>(`/containers/${this.#name(id)}/json`);
    if (!found) return { state: "absent" };
    const state = containerState(found, await folder.endMarks());
    if (state.state === "created") return { state: isKept ? "starting" : "absent" };
    if (state.state === "running" && !isKept) await this.#keepAgain(id);
    if (state.state === "exited") await untilDrained(folder);
    return state;
  }

  /** The output of a container whose keeper was killed is kept from now on. */
  async #keepAgain(id: string): Promise<void> {
    const folder = this.#folder(id);
    const notes = await folder.notes();
    if (!notes || this.#life.starts.has(id) || this.#keepers.has(id)) return;
    const { engine, scripts } = this.parts;
    const launch = { scripts, socketPath: engine.socketPath, folder, notes, starts: false };
    // Without a keeper the container runs on, and the next look tries it again.
    const launched = launchKeeper(launch).catch(() => {});
    this.#keepers.set(id, launched);
    await launched.finally(() => this.#keepers.delete(id));
  }

  async #kill(id: string): Promise<void> {
    try {
      await this.parts.engine.text({ path: `/containers/${this.#name(id)}/kill?signal=SIGKILL`, method: "POST" });
    } catch (cause) {
      // It has just ended.
      if (!(cause instanceof EngineError && cause.status < 500)) throw cause;
    }
  }

  async #snapshotOf(id: string): Promise<Readable> {
    const { state } = await this.#stateOf(id);
    if (state === "absent") throw new RuntimeError("not_found", "There is no such workload.");
    const root = await upperFolderOf(this.parts.engine, this.#name(id));
    const opaque = await opaqueFolders(this.parts.scripts, root);
    return snapshotFiles({ root, opaque, idBase: 0, leftOut: MOUNT_PLACES });
  }

  /** Of the container in the engine, which refuses a second one of the same name. */
  #name(id: string): string {
    return `svc-${this.parts.installation}-${id}`;
  }

  #folder(id: string): ContainerFolder {
    return new ContainerFolder(path.join(this.parts.dir, id));
  }
}

/** An end is seen when the keeper has written the last output, so that a reader then misses nothing. */
async function untilDrained(folder: ContainerFolder): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < DRAIN_MS_MAX; await sleep(POLL_MS)) {
    if ((await folder.endMarks()).isEndSeen || !(await folder.isKept())) return;
  }
}
