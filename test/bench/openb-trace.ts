import { readFileSync } from "node:fs";
import type { GpuRequest, NodeSpec } from "../../server/cloud/compute/scheduler/gpu-request";
import { csvRows } from "./csv-rows";
import { shuffled } from "./seeded-random";

export interface Trace {
  nodes: readonly NodeSpec[];
  pods: readonly GpuRequest[];
}

/** Reads a node list (sn,cpu_milli,memory_mib,gpu,model). */
export const readNodes = (file: string): NodeSpec[] =>
  records(file).map((row) => ({
    cpuMilli: amount(row, "cpu_milli", file),
    memoryMib: amount(row, "memory_mib", file),
    gpus: amount(row, "gpu", file),
    model: row.model ?? "",
  }));

/** Reads a pod list (name,cpu_milli,memory_mib,num_gpu,gpu_milli and optionally gpu_spec), sorted by name. */
export const readPods = (file: string): GpuRequest[] =>
  records(file)
    .sort((a, b) => ((a.name ?? "") < (b.name ?? "") ? -1 : 1))
    .map((row) => {
      const gpus = amount(row, "num_gpu", file);
      return {
        cpuMilli: amount(row, "cpu_milli", file),
        memoryMib: amount(row, "memory_mib", file),
        gpus,
        gpuMilli: gpus === 0 ? 0 : gpus > 1 ? 1000 : Math.min(1000, amount(row, "gpu_milli", file)),
        models: (row.gpu_spec ?? "").split("|").filter((model) => model !== ""),
      };
    });

/** Thousandths of GPUs that a pod requests. */
export const milliOf = ({ gpus, gpuMilli }: GpuRequest): number => gpus * gpuMilli;

/**
 * The arrivals of one run: the list in random order, then random copies until the demand is `ratio` of the capacity; a
 * list that demands more loses random pods (the "tune" of Weng et al., USENIX ATC 2023: it stops at the first copy whose
 * gpu_milli would exceed the ratio).
 */
export function inflated({ nodes, pods }: Trace, ratio: number, random: () => number): GpuRequest[] {
  const wanted = ratio * capacityMilli(nodes);
  const arrivals = shuffled(pods, random);
  let demand = arrivals.reduce((sum, pod) => sum + milliOf(pod), 0);
  while (demand > wanted) {
    const [removed] = arrivals.splice(Math.floor(random() * arrivals.length), 1);
    demand -= removed ? milliOf(removed) : demand;
  }
  for (;;) {
    const pod = pods[Math.floor(random() * pods.length)];
    if (!pod || demand + pod.gpuMilli > wanted) return arrivals;
    arrivals.push(pod);
    demand += milliOf(pod);
  }
}

export const capacityMilli = (nodes: readonly NodeSpec[]): number =>
  nodes.reduce((sum, { gpus }) => sum + gpus * 1000, 0);

export function records(file: string): Record<string, string>[] {
  const [header = [], ...rows] = csvRows(readFileSync(file, "utf8"));
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])));
}

function amount(row: Record<string, string>, name: string, file: string): number {
  const value = Number(row[name] || "NaN");
  if (!Number.isInteger(value) || value < 0) throw new Error(`${file}: ${name} must be a whole number in each row`);
  return value;
}
