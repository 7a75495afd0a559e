import { nanosOf } from "../../../kernel/money";
import type { GpuModel } from "./gpu-models";
import { POD_PRICES, type Purchase } from "./pod-prices";

const MIB_PER_GIB = 1024n;
const SECONDS_PER_HOUR = 3600n;
const SECOND_MS = 1000;

export interface PodShape {
  purchase: Purchase;
  gpu: GpuModel | null;
  gpuCount: number;
  cpu: number;
  memoryMb: number;
}

/** What a pod costs in an hour, in nanos. GPUs of a reservation are paid for with the reservation. */
export function priceNanosPerHour({ purchase, gpu, gpuCount, cpu, memoryMb }: PodShape): bigint {
  const isPaid = gpu === null || purchase === "reserved";
  const gpus = isPaid ? 0n : nanosOf(POD_PRICES.gpu[gpu][purchase]) * BigInt(gpuCount);
  const memory = (nanosOf(POD_PRICES.memoryGib[purchase]) * BigInt(memoryMb)) / MIB_PER_GIB;
  return gpus + nanosOf(POD_PRICES.cpu[purchase]) * BigInt(cpu) + memory;
}

/** What a number of seconds costs, in nanos, rounded down. */
export const costNanos = (seconds: number, nanosPerHour: bigint): bigint =>
  (BigInt(seconds) * nanosPerHour) / SECONDS_PER_HOUR;

/** Seconds between two times; each that has begun counts. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.ceil((to.getTime() - from.getTime()) / SECOND_MS));
