import type { SqlCtx } from "../../../identity/identity-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { GpuPools } from "../pools/pools";
import type { PodRuns } from "./pod-runs";

export interface PodsCtx extends SqlCtx {
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
  publicUrl: string;
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** The node of this process, which runs pods. */
  podRuns: PodRuns;
  /** The pools of GPUs that pods are placed on. */
  gpuPools: GpuPools;
  /** The currency of the installation, such as USD. */
  currency: string;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}
