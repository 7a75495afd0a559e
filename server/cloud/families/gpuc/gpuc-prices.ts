import { decimalOf } from "../../../kernel/money";
import {
  CPU_SKU_NAMES,
  CPU_SKUS,
  GPU_SKU_NAMES,
  GPU_SKUS,
  gpusPerNode,
  INSTANCE_CPU,
  INSTANCE_MEMORY_MB,
} from "../../compute/instances/instance-skus";
import { priceNanosPerHour } from "../../compute/pods/pod-cost";
import type { GpuModel } from "../../core/prices/gpu-models";
import { EIP_PRICE } from "../../core/prices/network-prices";
import { POD_PRICES } from "../../core/prices/pod-prices";
import type { ResourceService } from "../../core/resources/services";
import { VOLUME_PRICE } from "../../data/volumes/volume-spec";

/** Prices of one SKU, decimal strings; null: it is not sold that way. */
export interface Sku {
  sku: string;
  category: ResourceService;
  description: string;
  unit: string;
  on_demand: string | null;
  spot: string | null;
  reserved_30d: string | null;
  reserved_365d: string | null;
}

/** Every SKU of the compute services. Prices are those that pods and reservations are billed with. */
export const SKUS: readonly Sku[] = [
  ...GPU_SKU_NAMES.map((name) => gpuSku(name, { category: "gpu", count: 1 })),
  ...CPU_SKU_NAMES.map((name) => ({
    ...{ sku: name, category: "cpu" as const, unit: "hour" },
    description: `${INSTANCE_CPU} cores and ${INSTANCE_MEMORY_MB / 1024} GiB of memory, of the machine that runs it (named after ${CPU_SKUS[name]})`,
    ...{ on_demand: hourly("on_demand", null, 0), spot: null, reserved_30d: null, reserved_365d: null },
  })),
  ...GPU_SKU_NAMES.map((name) => gpuSku(name, { category: "baremetal", count: gpusPerNode(name) })),
  {
    ...{
      sku: "eip",
      category: "net" as const,
      description: "A TCP port of the installation, used or not",
      unit: "hour",
    },
    ...{ on_demand: EIP_PRICE, spot: null, reserved_30d: null, reserved_365d: null },
  },
  {
    ...{
      sku: "shared-volume",
      category: "dfs" as const,
      unit: "gb_month",
      on_demand: VOLUME_PRICE.gbMonth,
      spot: null,
    },
    ...{ reserved_30d: null, reserved_365d: null },
    description: "A GiB of the capacity of a shared volume for 730 hours, used or not, metered by the second",
  },
];

function gpuSku(
  name: keyof typeof GPU_SKUS,
  { category, count }: { category: "gpu" | "baremetal"; count: number },
): Sku {
  const model = GPU_SKUS[name];
  const reserved = (term: "reserved_30d" | "reserved_365d") => POD_PRICES.gpu[model][term];
  const isOne = count === 1;
  return {
    ...{ sku: name, category, unit: "hour" },
    description: `${isOne ? `One ${name}` : `A node of ${count} ${name}`} with ${INSTANCE_CPU} cores and ${INSTANCE_MEMORY_MB / 1024} GiB of memory`,
    ...{ on_demand: hourly("on_demand", model, count), spot: hourly("spot", model, count) },
    reserved_30d: isOne ? reserved("reserved_30d") : null,
    reserved_365d: isOne ? reserved("reserved_365d") : null,
  };
}

function hourly(purchase: "on_demand" | "spot", gpu: GpuModel | null, gpuCount: number): string {
  const shape = { purchase, gpu, gpuCount, cpu: INSTANCE_CPU, memoryMb: INSTANCE_MEMORY_MB };
  return decimalOf(priceNanosPerHour(shape));
}
