/** Where the NVIDIA driver of a node is found; tests pass a double. */
export interface GpuDriver {
  /** A name on PATH, or a path. */
  nvidiaSmi: string;
  /** Lists the shared libraries of the node. */
  ldconfig: string;
  /** Comes before `/dev` and `/proc`. */
  root: string;
}

export const NODE_DRIVER: GpuDriver = { nvidiaSmi: "nvidia-smi", ldconfig: "/sbin/ldconfig", root: "" };
