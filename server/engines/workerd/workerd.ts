import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import type { Logger } from "pino";
import { ByteBudget } from "../../kernel/byte-budget";
import type { Network } from "../guarded-fetch";
import { Cgroups } from "../runtime/namespaces/cgroups";
import { chooseIsolation } from "./choose-isolation";
import { CodeSource } from "./code-source";
import { findWorkerd } from "./find-workerd";
import { GroupsInUse } from "./groups-in-use";
import { type Isolation, launchWorkerd } from "./launch-workerd";
import { processesMax, WORKERD_LIMITS, type WorkerdLimits } from "./limits";
import { outboundGate } from "./outbound-gate";
import { ProcessPlaces } from "./process-places";
import { NotBegun } from "./running-call";
import { type WorkerCall, WorkerFailure, type WorkerReply } from "./worker-call";
import { WorkerProcess } from "./worker-process";

const CGROUP_ROOT = "/sys/fs/cgroup";
const SWEEP_MS = 1000;
/** A call that other code of its group kept from beginning so often is not repeated again. */
const STARTS_MAX = 3;

export interface OpenWorkerd {
  /** The folder that contains package.json. */
  rootDir: string;
  /** For the sockets of the processes. */
  dir: string;
  log: Pick<Logger, "info" | "warn">;
  limits?: Partial<WorkerdLimits> | undefined;
  /** Processes of svc that run workers on this machine; default 1. */
  svcProcesses?: number | undefined;
  /** What workers reach; by default the public network. */
  network?: Network | undefined;
}

/**
 * Runs workers, JavaScript of tenants, in processes of workerd: one for each group, which is started by its first call and
 * ends when it has none. Processes end with the process of svc that started them. There are as many as the memory of the
 * machine holds; the one that was used least recently ends for another, and a tenant that has its share waits for itself.
 */
export class Workerd {
  readonly #options: OpenWorkerd;
  readonly #limits: WorkerdLimits;
  readonly #budget: ByteBudget;
  readonly #inUse: GroupsInUse;
  readonly #groups = new Map<string, Promise<WorkerProcess>>();
  readonly #processes = new Map<WorkerProcess, { group: string; started: Promise<WorkerProcess> }>();
  readonly #sweeper: NodeJS.Timeout;
  #opened: Promise<Opened> | undefined;
  #isClosed = false;

  constructor(options: OpenWorkerd) {
    this.#options = options;
    this.#limits = { ...WORKERD_LIMITS, processesMax: processesMax(options.svcProcesses), ...options.limits };
    this.#inUse = new GroupsInUse(new ProcessPlaces(this.#limits));
    this.#budget = new ByteBudget(this.#limits.svcBytesMax);
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /** A sentence on why workers cannot run here; undefined: they can. */
  async missing(): Promise<string | undefined> {
    const found = await findWorkerd(this.#options.rootDir);
    return "missing" in found ? found.missing : undefined;
  }

  /** The response of a worker. Throws WorkerFailure. */
  call(call: WorkerCall): Promise<WorkerReply> {
    return this.#inUse.during(call, () => this.#call(call));
  }

  async #call(call: WorkerCall): Promise<WorkerReply> {
    for (let starts = 1; ; starts++) {
      const running = await this.#processOf(call);
      try {
        return await running.call(call);
      } catch (failure) {
        if (!(failure instanceof NotBegun)) throw failure;
        if (starts === STARTS_MAX) throw new WorkerFailure("busy", "Other code of the project kept this from running.");
      } finally {
        if (running.hasEnded) this.#end(running);
      }
    }
  }

  /** Ends every process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await Promise.allSettled(this.#groups.values());
    await Promise.all([...this.#processes.keys()].map((running) => running.close()));
  }

  #processOf({ group, tenant }: WorkerCall): Promise<WorkerProcess> {
    const known = this.#groups.get(group);
    if (known) return known;
    const started = this.#start(tenant);
    this.#groups.set(group, started);
    started.then(
      (running) => this.#processes.set(running, { group, started }),
      () => this.#groups.delete(group),
    );
    return started;
  }

  async #start(tenant: string): Promise<WorkerProcess> {
    if (this.#isClosed) throw new WorkerFailure("unavailable", "svc is stopping.");
    this.#makeRoom();
    const opened = await this.#open();
    const { network, log } = this.#options;
    const { svcRequestBytesMax, svcRequestsMax, svcRequestsWaitingMax, outboundRequestsMax } = this.#limits;
    const source = new CodeSource({
      requestBytesMax: svcRequestBytesMax,
      requestsMax: svcRequestsMax,
      waitingMax: svcRequestsWaitingMax,
      budget: this.#budget,
      tenant,
    });
    const launched = await launchWorkerd({
      ...opened,
      ...this.#place(),
      source: source.respond,
      outbound: outboundGate({ network, requestsMax: outboundRequestsMax }),
    }).catch((cause: unknown) => {
      log.warn({ err: cause }, "a process of workers did not start");
      throw new WorkerFailure("unavailable", "The process that runs the code did not start; retry shortly.", { cause });
    });
    return new WorkerProcess(launched, source, this.#limits);
  }

  /** Of a new process. */
  #place() {
    const { rootDir, dir } = this.#options;
    return {
      scripts: path.join(rootDir, "server/engines/workerd"),
      dir: path.join(dir, `${process.pid}-${randomUUID()}`),
      limits: this.#limits,
    };
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#prepare().catch((cause: unknown) => {
      this.#opened = undefined;
      throw cause;
    });
    return this.#opened;
  }

  async #prepare(): Promise<Opened> {
    const { rootDir, dir, log } = this.#options;
    const found = await findWorkerd(rootDir);
    if ("missing" in found) throw new WorkerFailure("unavailable", found.missing);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await removeLeftFolders(dir);
    const cgroups = await Cgroups.open(CGROUP_ROOT, dir);
    if (typeof cgroups === "string") log.warn(`workers: ${cgroups}`);
    const limiting = { program: found.program, cgroups: typeof cgroups === "string" ? undefined : cgroups };
    const none = { source: refuseAll, outbound: refuseAll };
    const { isolation, missing } = await chooseIsolation({ ...limiting, ...this.#place(), ...none });
    if (missing !== undefined) log.warn(`workers are less isolated than they could be: ${missing}`);
    return { ...limiting, isolation };
  }

  /** Ends the process without calls that was used least recently. There is one, because calls hold places. */
  #makeRoom(): void {
    if (this.#groups.size < this.#limits.processesMax) return;
    const idle = [...this.#processes].filter(([{ calls }, { group }]) => calls === 0 && !this.#inUse.has(group));
    const [oldest] = idle.map(([running]) => running).sort((a, b) => a.lastUsedAtMs - b.lastUsedAtMs);
    if (oldest) this.#end(oldest);
  }

  #sweep(): void {
    const now = Date.now();
    for (const [running, { group }] of this.#processes) {
      // A group whose calls keep processes from ending must not make more and more of them.
      if (running.isLarge && this.#countOf(group) === 1) this.#replace(running);
      const isIdle = now - running.lastUsedAtMs > this.#limits.idleMs;
      if (running.calls === 0 && (isIdle || running.isLarge)) this.#end(running);
    }
  }

  #countOf(group: string): number {
    return [...this.#processes.values()].filter((one) => one.group === group).length;
  }

  /** Later calls of the group start another process. */
  #replace(running: WorkerProcess): void {
    const entry = this.#processes.get(running);
    if (entry && this.#groups.get(entry.group) === entry.started) this.#groups.delete(entry.group);
  }

  #end(running: WorkerProcess): void {
    this.#replace(running);
    this.#processes.delete(running);
    void running.close();
  }
}

interface Opened {
  program: string;
  cgroups: Cgroups | undefined;
  isolation: Isolation;
}

const refuseAll: RequestListener = (_, outgoing) => void outgoing.writeHead(404).end();

/** Those of processes of svc that have ended. */
async function removeLeftFolders(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!isRunning(Number.parseInt(name, 10))) await rm(path.join(dir, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}
