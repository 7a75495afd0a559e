import type { Pool } from "pg";
import type { RuntimeChoice } from "../../../engines/runtime/choose-runtime";
import type { DetectedGpu } from "../../../engines/runtime/nvidia/read-gpus";
import type { Region } from "../pools/regions";

/** What a node reports of its GPUs. */
export interface NodeGpuReport {
  /** Of the node, for people. */
  name: string;
  region: Region;
  /** Its cores. */
  cpu: number;
  gpus: readonly DetectedGpu[];
}

/** A node, as the process that has the claim on it reads it. */
export interface ClaimedNode {
  /** Identifies the node and its data directory. */
  id: string;
  /** What all pods together may reserve. */
  memoryMb: number;
  /** svc itself is on it, and only tenants that an operator has admitted may run their programs there. */
  readonly isForAdmitted?: boolean | undefined;
  /** Its GPUs as they are at present; none if they cannot be read. */
  gpus(): Promise<NodeGpuReport>;
  /** Where other processes of svc reach its workloads; null: nowhere. */
  address(): string | null;
  /** The runtime for a claim that has just been taken, whose connection is `claim`. Rejects if it cannot be reached. */
  open(claim: Pick<Pool, "query">): Promise<RuntimeChoice>;
  /** Rejects if the node cannot be reached, which then counts as not reporting. */
  check(): Promise<void>;
  /** Its disk has only svc's reserve: nothing is started on it. Absent: not known here. */
  readonly isFull?: boolean;
  /** What runs its workloads was restarted since `open`, which is to be called again; absent: it is this process. */
  readonly isRestarted?: boolean;
}
