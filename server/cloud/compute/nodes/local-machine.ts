import os from "node:os";
import type { Logger } from "pino";
import type { Room } from "../../../engines/disk-space/disk-space";
import { GpuInventory } from "../../../engines/runtime/nvidia/gpu-inventory";
import { type ServedRuntime, serveRuntime } from "../../../engines/runtime/remote/serve-runtime";
import type { Runtime } from "../../../engines/runtime/runtime";
import type { StartedRuntime } from "../../../engines/start-runtime";
import { formatHostAndPort, type HostAndPort } from "../../../kernel/host-and-port";
import { DEFAULT_REGION } from "../pools/fleet";
import { machineIdentity, machineKey } from "./machine-keys";
import { runnerIdOf } from "./runner-id";
import type { MachineGpus, RunnerMachine } from "./runner-machine";

export interface LocalMachineParts {
  runtime: StartedRuntime;
  dataDir: string;
  /** Where other processes of svc reach the workloads, with port 0 for any free one. */
  listen: HostAndPort;
  machinesKey: Buffer;
  /** Only tenants that an operator has admitted may run programs on it. */
  isForAdmitted?: boolean | undefined;
  /** Of the disk of the data directory. */
  space: Room;
  log: Pick<Logger, "warn">;
}

/** Of the memory of the machine; the rest is for svc, its engines and the system. */
const MEMORY_SHARE = 0.75;

/** The machine of this process, which serves its workloads to the other processes of svc. */
export class LocalMachine implements RunnerMachine {
  readonly id: string;
  readonly memoryMb = machineMemoryMb();
  readonly isForAdmitted: boolean;
  readonly #inventory: GpuInventory;
  #runtime: Runtime | undefined;
  #served: ServedRuntime | undefined;

  constructor(readonly parts: LocalMachineParts) {
    this.id = runnerIdOf(parts.dataDir);
    this.isForAdmitted = parts.isForAdmitted === true;
    this.#inventory = new GpuInventory(parts);
  }

  get isFull(): boolean {
    return this.parts.space.isLow;
  }

  async gpus(): Promise<MachineGpus> {
    const own = { name: os.hostname().toLowerCase(), region: DEFAULT_REGION, cpu: os.availableParallelism() };
    return { ...own, gpus: await this.#inventory.gpus() };
  }

  address(): string | null {
    const { host } = this.parts.listen;
    return this.#served ? formatHostAndPort({ host, port: this.#served.port }) : null;
  }

  async open() {
    const choice = await this.parts.runtime.choice();
    this.#runtime = choice.runtime;
    if (choice.runtime) this.#served ??= await this.#serve();
    return choice;
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {
    await this.#served?.close();
  }

  #serve(): Promise<ServedRuntime> {
    const { listen, machinesKey, log } = this.parts;
    const own = machineIdentity("use", { id: this.id, generation: 0 });
    const key = machineKey(machinesKey, own);
    return serveRuntime({
      ...{ ...listen, log },
      runtime: () => this.#runtime,
      callerOf: (identity) => (identity === own ? { key, access: "use" } : undefined),
    });
  }
}

/** What this process may use, in MiB: less than the machine has in a container. */
export function machineMemoryMb(): number {
  const all = os.totalmem();
  const allowed = process.constrainedMemory();
  const bytes = allowed > 0 ? Math.min(all, allowed) : all;
  return Math.floor((bytes * MEMORY_SHARE) / 1024 ** 2);
}
