import os from "node:os";
import type { Logger } from "pino";
import type { Room } from "../../../engines/disk-space/disk-space";
import { GpuInventory } from "../../../engines/runtime/nvidia/gpu-inventory";
import { type ServedRuntime, serveRuntime } from "../../../engines/runtime/remote/serve-runtime";
import type { Runtime } from "../../../engines/runtime/runtime";
import type { StartedRuntime } from "../../../engines/start-runtime";
import { formatHostAndPort, type HostAndPort } from "../../../kernel/host-and-port";
import { DEFAULT_REGION } from "../pools/regions";
import type { ClaimedNode, NodeGpuReport } from "./claimed-node";
import { nodeIdOf } from "./node-id";
import { nodeIdentity, nodeKey } from "./node-keys";

export interface LocalNodeParts {
  runtime: StartedRuntime;
  dataDir: string;
  /** Where other processes of svc reach the workloads, with port 0 for any free one. */
  listen: HostAndPort;
  nodesKey: Buffer;
  /** Only tenants that an operator has admitted may run programs on it. */
  isForAdmitted?: boolean | undefined;
  /** Of the disk of the data directory. */
  space: Room;
  log: Pick<Logger, "warn">;
}

/** Of the memory of the node; the rest is for svc, its engines and the system. */
const MEMORY_SHARE = 0.75;

/** The node of this process, which serves its workloads to the other processes of svc. */
export class LocalNode implements ClaimedNode {
  readonly id: string;
  readonly memoryMb = nodeMemoryMb();
  readonly isForAdmitted: boolean;
  readonly #inventory: GpuInventory;
  #runtime: Runtime | undefined;
  #served: ServedRuntime | undefined;

  constructor(readonly parts: LocalNodeParts) {
    this.id = nodeIdOf(parts.dataDir);
    this.isForAdmitted = parts.isForAdmitted === true;
    this.#inventory = new GpuInventory(parts);
  }

  get isFull(): boolean {
    return this.parts.space.isLow;
  }

  async gpus(): Promise<NodeGpuReport> {
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
    const { listen, nodesKey, log } = this.parts;
    const own = nodeIdentity("use", { id: this.id, generation: 0 });
    const key = nodeKey(nodesKey, own);
    return serveRuntime({
      ...listen,
      log,
      runtime: () => this.#runtime,
      callerOf: (identity) => (identity === own ? { key, access: "use" } : undefined),
    });
  }
}

/** What this process may use, in MiB: less than the node has in a container. */
export function nodeMemoryMb(): number {
  const all = os.totalmem();
  const allowed = process.constrainedMemory();
  const bytes = allowed > 0 ? Math.min(all, allowed) : all;
  return Math.floor((bytes * MEMORY_SHARE) / 1024 ** 2);
}
