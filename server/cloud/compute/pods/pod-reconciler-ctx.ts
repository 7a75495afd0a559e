import type { Logger } from "pino";
import type { BlobStore } from "../../../engines/objects/blob-store";
import type { ClaimedNode } from "../nodes/claimed-node";
import type { UsedRuntime } from "../nodes/nodes";
import type { PodsCtx } from "./pods-ctx";

export interface PodReconcilerCtx
  extends Pick<
    PodsCtx,
    "db" | "sql" | "clock" | "secretsKey" | "encryptionKey" | "currency" | "publicUrl" | "gpuPools" | "storedBytes"
  > {
  node: ClaimedNode;
  /** The workloads of any node. Throws `unavailable` (reason `node_unreachable`). */
  reach(nodeId: string): Promise<UsedRuntime>;
  log: Pick<Logger, "error" | "warn" | "info">;
  /** Where checkpoints are stored. */
  blobs: BlobStore;
  /** Called when a step has ended or the node was lost, which may make the next round due. */
  onDone: () => void;
}
