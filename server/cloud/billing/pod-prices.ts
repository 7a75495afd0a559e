import type { GpuModel } from "../gpu-pools/fleet";

/**
 * On-demand prices per hour, as decimal strings in the currency of the installation. All of them are ours: the
 * specification gives no prices of pods.
 */
export const POD_PRICES = {
  gpu: {
    ...{ h100: "2.49", h200: "3.29", b200: "4.99", b300: "5.99" },
    ...{ gb200: "6.49", gb300: "7.49", a100: "1.49", l40s: "0.99" },
  } satisfies Record<GpuModel, string>,
  cpu: "0.03",
  memoryGib: "0.004",
} as const;
