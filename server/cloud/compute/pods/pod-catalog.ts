import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";
import { POD_PRICES } from "../../core/prices/pod-prices";
import { FLEET } from "../pools/fleet";
import { REGIONS, type Region } from "../pools/regions";

/** What a pod can have, and what each part costs in an hour, as decimal numbers in `currency`. */
export interface PodCatalog {
  currency: string;
  gpus: readonly {
    model: GpuModel;
    /** The most that one pod can have. */
    perNode: number;
    /** Of one GPU, on demand and as spot. */
    price: string;
    spotPrice: string;
  }[];
  regions: readonly Region[];
}

/** For pages that show a price before a pod is created. */
export const podCatalog = (currency: string): PodCatalog => ({
  currency,
  gpus: GPU_MODELS.map((model) => {
    const { on_demand: price, spot: spotPrice } = POD_PRICES.gpu[model];
    return { model, perNode: FLEET[model].gpusPerNode, price, spotPrice };
  }),
  regions: REGIONS,
});
