import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Kept } from "../pools/cached-pool";
import type { LockedPool } from "../pools/pools";
import type { Needed } from "../scheduler/choose-victims";
import type { Blocked } from "./choose-node";
import type { CandidateNode } from "./pod-nodes.sql";

/** How a decision reads what there is: locked where the decision is applied, and in a snapshot for an estimate. */
export interface Capacity {
  tx: Prisma.TransactionClient;
  readPool: (pool: string) => Promise<LockedPool>;
  /** The nodes that run pods. */
  readNodes: (tenantId: string) => Promise<readonly CandidateNode[]>;
  /** Makes room with the GPUs of spot pods, if that is possible. */
  makeRoom?: ((making: Making) => Promise<Blocked | undefined>) | undefined;
  /** Makes room for a gang, or keeps for it what becomes free; returns what it waits for. */
  makeGangRoom?: (making: GangMaking) => Promise<Blocked>;
}

export interface Decision {
  nodeId: string;
  gpus?: ChosenGpus;
}

export interface ChosenGpus extends Pick<LockedPool, "pool" | "version"> {
  node: string;
  devices: readonly number[];
  /** Those that may run it; undefined: any, because the GPUs are simulated. */
  nodeIds?: readonly string[] | undefined;
}

/** A run that does not fit on a locked pool. */
export interface Making extends Pick<LockedPool, "pool" | "cache"> {
  /** What the run may not have. */
  kept: readonly Kept[];
  runId: string;
  needed: Needed;
}

/** A gang that does not fit on a locked pool. */
export interface GangMaking extends Pick<LockedPool, "pool" | "cache" | "keep"> {
  /** What it may not have. */
  kept: readonly Kept[];
  isSingle: boolean;
  /** Why it does not fit. */
  why: Blocked;
  /** Reservations keep GPUs from it at present, so that ending spot pods would not help. */
  isLimited: boolean;
  /** Whether they would leave it enough if no other on-demand pod ran. */
  couldStart: () => Promise<boolean>;
}
