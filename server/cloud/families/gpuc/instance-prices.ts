import { decimalOf } from "../../../kernel/money";
import {
  CPU_SKU_NAMES,
  CPU_SKUS,
  GPU_SKU_NAMES,
  GPU_SKUS,
  type GpuSku,
  gpusPerNode,
  INSTANCE_CPU,
  INSTANCE_MEMORY_MB,
} from "../../compute/instances/instance-skus";
import { type Sku, simpleSku } from "../../core/kinds/sku";
import type { GpuModel } from "../../core/prices/gpu-models";
import { priceNanosPerHour } from "../../core/prices/pod-cost";
import { POD_PRICES } from "../../core/prices/pod-prices";

const ROOM = `${INSTANCE_CPU} cores and ${INSTANCE_MEMORY_MB / 1024} GiB of memory`;

/** Prices are those that pods and reservations are billed with. */
export const gpuSkus = (): Sku[] => GPU_SKU_NAMES.map((sku) => gpuSku(sku, 1));

export const baremetalSkus = (): Sku[] => GPU_SKU_NAMES.map((sku) => gpuSku(sku, gpusPerNode(sku)));

export const cpuSkus = (): Sku[] =>
  CPU_SKU_NAMES.map((sku) =>
    simpleSku(sku, {
      description: `${ROOM}, of the node that runs it (named after ${CPU_SKUS[sku]})`,
      unit: "hour",
      price: hourly("on_demand", null, 0),
    }),
  );

function gpuSku(sku: GpuSku, count: number): Sku {
  const model = GPU_SKUS[sku];
  const isOne = count === 1;
  const { reserved_30d, reserved_365d } = POD_PRICES.gpu[model];
  const description = `${isOne ? `One ${sku}` : `A node of ${count} ${sku}`} with ${ROOM}`;
  return {
    ...simpleSku(sku, { description, unit: "hour", price: hourly("on_demand", model, count) }),
    spot: hourly("spot", model, count),
    reserved_30d: isOne ? reserved_30d : null,
    reserved_365d: isOne ? reserved_365d : null,
  };
}

function hourly(purchase: "on_demand" | "spot", gpu: GpuModel | null, gpuCount: number): string {
  const shape = { purchase, gpu, gpuCount, cpu: INSTANCE_CPU, memoryMb: INSTANCE_MEMORY_MB };
  return decimalOf(priceNanosPerHour(shape));
}
