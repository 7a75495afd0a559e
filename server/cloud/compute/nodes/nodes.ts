import type { Pool } from "pg";
import { RemoteWorkloads } from "../../../engines/runtime/remote/remote-runtime";
import { RuntimeLink, unreachable } from "../../../engines/runtime/remote/runtime-link";
import type { Runtime } from "../../../engines/runtime/runtime";
import type { RuntimeVolumes } from "../../../engines/runtime/runtime-volumes";
import { nodeIdentity, nodeKey } from "./node-keys";
import { findNode } from "./nodes.sql";

/** What is done with a workload without a claim on its node. */
export interface UsedRuntime extends Pick<Runtime, "observe" | "logs" | "exec" | "connect" | "snapshot"> {
  volumes?: Pick<RuntimeVolumes, "snapshot"> | undefined;
}

export interface NodesCtx {
  sql: Pick<Pool, "query">;
  nodesKey: Buffer;
  /** The runtime of the node with this id, if this process has the claim on it. */
  local(id: string): UsedRuntime | undefined;
}

/** Reaches the workloads of every node: those of this process directly, others through the process that runs them. */
export class Nodes {
  /** By the id of the node; `at` changes with its address and its key. */
  readonly #reached = new Map<string, { at: string; workloads: RemoteWorkloads }>();

  constructor(readonly ctx: NodesCtx) {}

  /** Throws `unavailable` (reason `node_unreachable`) if the node does not report at present. */
  async runtime(id: string): Promise<UsedRuntime> {
    const local = this.ctx.local(id);
    if (local) return local;
    const node = await findNode(this.ctx.sql, id);
    if (!node) throw unreachable(new Error("It has not reported recently."));
    const { address, generation } = node;
    const at = `${address} ${generation}`;
    const known = this.#reached.get(id);
    if (known?.at === at) return known.workloads;
    await known?.workloads.close();
    const identity = nodeIdentity("use", node);
    const key = nodeKey(this.ctx.nodesKey, identity);
    const workloads = new RemoteWorkloads(new RuntimeLink({ address, identity, key }));
    this.#reached.set(id, { at, workloads });
    return workloads;
  }

  async close(): Promise<void> {
    for (const { workloads } of this.#reached.values()) await workloads.close();
    this.#reached.clear();
  }
}
