import type { Pool } from "pg";
import { openRemoteRuntime, type RemoteRuntime } from "../../engines/runtime/remote/remote-runtime";
import { NodeGpus } from "./join-node";
import { machineIdentity, machineKey } from "./machine-keys";
import { type JoinedMachine as JoinedRow, nextEpoch } from "./nodes.sql";
import type { MachineGpus, RunnerMachine } from "./runner-machine";

/** A machine that was joined, driven through its agent by the process that has the claim on it. */
export class JoinedMachine implements RunnerMachine {
  #runtime: RemoteRuntime | undefined;

  constructor(
    readonly row: JoinedRow,
    readonly machinesKey: Buffer,
  ) {}

  get id(): string {
    return this.row.id;
  }

  get memoryMb(): number {
    return this.row.memoryMb;
  }

  async gpus(): Promise<MachineGpus> {
    const { name, region, cpu } = this.row;
    // An agent of an earlier version does not tell; a connection that was lost fails in `check`.
    const reported = await this.#runtime?.gpus().catch(() => []);
    return { name, region, cpu, gpus: NodeGpus.safeParse(reported).data ?? [] };
  }

  address(): string {
    return this.row.address;
  }

  /** Takes a new epoch, so that what an earlier claim still sends is rejected by the agent. */
  async open(claim: Pick<Pool, "query">) {
    await this.close();
    const epoch = await nextEpoch(claim, this.row);
    if (epoch === undefined) throw new Error(`The node ${this.row.name} has joined again or was removed.`);
    const identity = machineIdentity("drive", this.row);
    const key = machineKey(this.machinesKey, identity);
    this.#runtime = await openRemoteRuntime({ address: this.row.address, identity, key, epoch });
    return { runtime: this.#runtime };
  }

  async check(): Promise<void> {
    await this.#runtime?.check();
  }

  async close(): Promise<void> {
    await this.#runtime?.close();
    this.#runtime = undefined;
  }
}
