import { GPU_MILLI, type GpuRequest } from "../scheduler/gpu-request";
import type { PoolScheduler } from "../scheduler/pool-scheduler";

const MILLI_PER_CORE = 1000;

type Gang = Parameters<PoolScheduler["placeGang"]>[1];

/** A sentence that says why a request for whole GPUs does not fit on any node now. */
export function blockedText(request: GpuRequest, scheduler: PoolScheduler): string {
  const { constraint, nearest, fitsIdleNode } = scheduler.explain(request);
  const { open, free, most } = freeGpus(scheduler);
  if (open === 0) return "No node of this pool accepts pods at present.";
  const never = fitsIdleNode ? "" : " No node of this pool is as large as that.";
  const [gpus, cores] = [`${request.gpus} free GPUs`, request.cpuMilli / MILLI_PER_CORE];
  if (constraint === "cpu") {
    const left = Math.floor((nearest?.cpuMilli ?? 0) / MILLI_PER_CORE);
    return `No node with ${gpus} has ${cores} free cores; the most is ${left}.${never}`;
  }
  if (constraint === "memory") {
    const left = nearest?.memoryMib ?? 0;
    return `No node with ${gpus} and ${cores} free cores has ${request.memoryMib} MiB of free memory; the most is ${left}.${never}`;
  }
  if (free === 0) return `All GPUs of the ${open} nodes of this pool are in use.`;
  return `No node of this pool has ${gpus}: ${free} are free on ${open} nodes, at most ${most} on one.${never}`;
}

/** A sentence that says why the members of a gang do not fit together now. */
export function gangBlockedText(request: GpuRequest, gang: Gang, scheduler: PoolScheduler): string {
  const { all, largest } = scheduler.roomForGang(request);
  const [gpus, cores] = [countOf(request.gpus, "GPU"), countOf(request.cpuMilli / MILLI_PER_CORE, "core")];
  const what = `pods with ${gpus}, ${cores} and ${request.memoryMib} MiB`;
  const where = gang.isSingle ? `of one rack has room for ${largest}` : `has room for ${all}`;
  return `The gang needs ${gang.members} ${what} at once; this pool ${where} at present.`;
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The nodes that accept pods, the free GPUs on them, and the most on one of them. */
function freeGpus({ table }: PoolScheduler): { open: number; free: number; most: number } {
  const counts = { open: 0, free: 0, most: 0 };
  for (let node = 0; node < table.length; node++) {
    if (table.isOpen[node] === 0) continue;
    const free = (table.idleMilli[node] as number) / GPU_MILLI;
    counts.open++;
    counts.free += free;
    counts.most = Math.max(counts.most, free);
  }
  return counts;
}
