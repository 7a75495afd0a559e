import type { GpuModel } from "./gpu-models";

/** How a pod's GPUs are bought. `reserved`: they are paid for with the reservation, used or not. */
export const PURCHASES = ["on_demand", "spot", "reserved"] as const;
export type Purchase = (typeof PURCHASES)[number];

/** Of one GPU, per hour; `reserved_30d` and `reserved_365d` by the length of the reservation. */
export interface GpuPrices {
  on_demand: string;
  spot: string;
  reserved_30d: string;
  reserved_365d: string;
}

/**
 * Prices per hour, as decimal strings in the currency of the installation. All of them are ours: the specification gives
 * no prices of pods, only that spot is 40 to 60 % below on-demand and that reservations have the deepest discount.
 */
export const POD_PRICES = {
  gpu: {
    h100: { on_demand: "2.49", spot: "1.37", reserved_30d: "1.24", reserved_365d: "0.99" },
    h200: { on_demand: "3.29", spot: "1.81", reserved_30d: "1.64", reserved_365d: "1.31" },
    b200: { on_demand: "4.99", spot: "2.74", reserved_30d: "2.49", reserved_365d: "1.99" },
    b300: { on_demand: "5.99", spot: "3.29", reserved_30d: "2.99", reserved_365d: "2.39" },
    gb200: { on_demand: "6.49", spot: "3.57", reserved_30d: "3.24", reserved_365d: "2.59" },
    gb300: { on_demand: "7.49", spot: "4.12", reserved_30d: "3.74", reserved_365d: "2.99" },
    a100: { on_demand: "1.49", spot: "0.82", reserved_30d: "0.74", reserved_365d: "0.59" },
    l40s: { on_demand: "0.99", spot: "0.54", reserved_30d: "0.49", reserved_365d: "0.39" },
  } satisfies Record<GpuModel, GpuPrices>,
  /** Of one core. */
  cpu: { on_demand: "0.030", spot: "0.016", reserved: "0.030" } satisfies Record<Purchase, string>,
  memoryGib: { on_demand: "0.004", spot: "0.002", reserved: "0.004" } satisfies Record<Purchase, string>,
} as const;
