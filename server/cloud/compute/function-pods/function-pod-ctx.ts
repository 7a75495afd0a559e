import type { SqlCtx } from "../../../identity/identity-ctx";
import type { PodRuns } from "../pods/pod-runs";
import type { GpuPools } from "../pools/pools";

export interface FunctionPodCtx extends SqlCtx {
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  publicUrl: string;
  /** The node of this process, which runs pods. */
  podRuns: PodRuns;
  /** The pools of GPUs that pods are placed on. */
  gpuPools: GpuPools;
  /** The currency of the installation, such as USD. */
  currency: string;
}
