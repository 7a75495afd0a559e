import type { PodCatalog } from "../../../../server/cloud/pods/pod-catalog";

const NANOS = 1e9;
const MIB_PER_GIB = 1024;

/** What the form shows of a pod's shape: texts, as they are typed. */
export interface Shape {
  /** `on_demand` or `spot`, which only counts with a GPU. */
  purchase: string;
  /** Empty: no GPU. */
  gpu: string;
  gpuCount: string;
  cpu: string;
  memoryMb: string;
}

/** What a shape costs in an hour, as the server meters it; undefined while a number is missing or not valid. */
export function pricePerHour(catalog: PodCatalog, shape: Shape): number | undefined {
  const { gpu, gpuCount, cpu, memoryMb } = shape;
  const chosen = catalog.gpus.find(({ model }) => model === gpu);
  const [gpus, cpus, mib] = [chosen ? Number(gpuCount) : 0, Number(cpu), Number(memoryMb)];
  const isValid = Number.isInteger(gpus) && gpus <= (chosen?.perNode ?? 0) && gpus >= (chosen ? 1 : 0);
  if (!isValid || !isCount(cpus) || !isCount(mib)) return undefined;
  const isSpot = shape.purchase === "spot" && chosen !== undefined;
  const prices = isSpot
    ? { gpu: chosen.spotPrice, cpu: catalog.spotCpuPrice, memory: catalog.spotMemoryGibPrice }
    : { gpu: chosen?.price ?? "0", cpu: catalog.cpuPrice, memory: catalog.memoryGibPrice };
  const memory = Math.floor((nanosOf(prices.memory) * mib) / MIB_PER_GIB);
  return (gpus * nanosOf(prices.gpu) + cpus * nanosOf(prices.cpu) + memory) / NANOS;
}

const isCount = (number: number): boolean => Number.isInteger(number) && number > 0;

/** Whole numbers, so that sums are exact. */
const nanosOf = (price: string): number => Math.round(Number(price) * NANOS);
