import type { Pool } from "pg";
import { z } from "zod";
import { openRemoteRuntime, type RemoteRuntime } from "../../../engines/runtime/remote/remote-runtime";
import type { ClaimedNode, NodeGpuReport } from "./claimed-node";
import { NodeGpus } from "./join-node";
import { nodeIdentity, nodeKey } from "./node-keys";
import { type RemoteNode as JoinedNodeRow, nextEpoch, recordAgent } from "./nodes.sql";

/** What an agent tells of itself comes from another node, and is bounded. */
const Agent = z.object({ version: z.string().max(50), bootId: z.uuid() });

/** A node that was joined, driven through its agent by the process that has the claim on it. */
export class RemoteNode implements ClaimedNode {
  #runtime: RemoteRuntime | undefined;
  /** Of the process of the agent that was reached. */
  #bootId: string | undefined;
  #isRestarted = false;

  constructor(
    readonly row: JoinedNodeRow,
    readonly nodesKey: Buffer,
  ) {}

  get id(): string {
    return this.row.id;
  }

  get memoryMb(): number {
    return this.row.memoryMb;
  }

  get isRestarted(): boolean {
    return this.#isRestarted;
  }

  async gpus(): Promise<NodeGpuReport> {
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
    const identity = nodeIdentity("drive", this.row);
    const key = nodeKey(this.nodesKey, identity);
    const runtime = await openRemoteRuntime({ address: this.row.address, identity, key, epoch });
    this.#runtime = runtime;
    const agent = Agent.safeParse(await runtime.agent()).data;
    await recordAgent(claim, this.row, agent);
    this.#bootId = agent?.bootId;
    this.#isRestarted = false;
    return { runtime };
  }

  async check(): Promise<void> {
    await this.#runtime?.check();
    const agent = await this.#runtime?.agent();
    if (agent && agent.bootId !== this.#bootId) this.#isRestarted = true;
  }

  /** Restarts the agent, if it is still the process with this boot id. Does nothing while this process does not drive it. */
  async restart(bootId: string): Promise<void> {
    if (!this.#runtime || this.#isRestarted || this.#bootId !== bootId) return;
    await this.#runtime.restart(bootId);
    this.#isRestarted = true;
  }

  async close(): Promise<void> {
    await this.#runtime?.close();
    this.#runtime = undefined;
  }
}
