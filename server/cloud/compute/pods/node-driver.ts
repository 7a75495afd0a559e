import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import type { UsedRuntime } from "../nodes/nodes";
import { forgetGpus, type RemoteNode as JoinedRow, joinedNodes } from "../nodes/nodes.sql";
import { RemoteNode } from "../nodes/remote-node";
import { NodeRounds } from "./node-rounds";
import type { PodReconcilerCtx } from "./pod-reconciler-ctx";

export interface NodeDriverCtx extends Omit<PodReconcilerCtx, "node" | "onDone"> {
  nodesKey: Buffer;
  alarms: Pick<StartedAlarms, "add" | "wake">;
}

interface Driven {
  /** Changes when the node joins again. */
  generation: number;
  node: RemoteNode;
  rounds: NodeRounds;
}

/** Until the agent of a node is asked again to restart. */
const RESTART_AGAIN_MS = 1000;

/** Drives the joined nodes that no other process of svc drives. */
export class NodeDriver {
  readonly #driven = new Map<string, Driven>();
  readonly #looking: RunningRound;
  #isRestarting = false;

  constructor(readonly ctx: NodeDriverCtx) {
    this.#looking = ctx.alarms.add({
      topic: "nodes",
      purpose: "look for joined nodes",
      everyMs: () => (this.#isRestarting ? RESTART_AGAIN_MS : undefined),
      run: () => this.#look(),
    });
  }

  /** The runtime of a node on which this process has the claim. */
  runtime(id: string): UsedRuntime | undefined {
    return this.#driven.get(id)?.rounds.reconciler.runtime;
  }

  /** Whether nodes have joined, also those that cannot be reached or that another process drives. */
  get hasNodes(): boolean {
    return this.#driven.size > 0;
  }

  async stop(): Promise<void> {
    await this.#looking.stop();
    await Promise.all([...this.#driven.keys()].map((id) => this.#end(id)));
  }

  async #look(): Promise<void> {
    const rows = await joinedNodes(this.ctx.sql);
    const generations = new Map(rows.map(({ id, generation }) => [id, generation]));
    for (const [id, { generation }] of this.#driven) {
      if (generations.get(id) === generation) continue;
      await this.#end(id);
      if (!generations.has(id)) await forgetGpus(this.ctx.sql, id);
    }
    for (const row of rows) if (!this.#driven.has(row.id)) this.#begin(row);
    this.#isRestarting = rows.some(({ restartBootId }) => restartBootId !== null);
    await Promise.all(rows.map((row) => this.#restart(row)));
  }

  /** As a fleet upgrade wants it; repeated until the agent is another process. */
  async #restart({ id, name, restartBootId }: JoinedRow): Promise<void> {
    if (restartBootId === null) return;
    const restarted = this.#driven.get(id)?.node.restart(restartBootId);
    await restarted?.catch((err: unknown) =>
      this.ctx.log.warn({ err, node: name }, "an agent was not restarted, which is repeated"),
    );
  }

  #begin(row: JoinedRow): void {
    const { nodesKey, alarms, ...ctx } = this.ctx;
    const node = new RemoteNode(row, nodesKey);
    const purpose = `run the pods of the node ${row.name}`;
    const rounds = new NodeRounds({ ...ctx, node }, { alarms, purpose });
    this.#driven.set(row.id, { generation: row.generation, node, rounds });
  }

  async #end(id: string): Promise<void> {
    const driven = this.#driven.get(id);
    this.#driven.delete(id);
    await driven?.rounds.stop(() => driven.node.close());
  }
}
