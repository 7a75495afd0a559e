import { GPU_MILLI, type GpuRequest } from "./gpu-request";
import { wholeDevices } from "./node-potential";
import type { NodeTable, NodeType } from "./node-table";
import { allowsModel, fitsType, isShared } from "./shape-table";

/** The constraints in the order in which they are checked; each is checked on the nodes that pass those before it. */
export type Constraint = "model" | "gpus" | "cpu" | "memory";

/** Why a request does not fit now. */
export interface Blocked {
  /** The first constraint that no node passes. */
  constraint: Constraint;
  /** Whether an idle node of the pool that accepts pods could hold the request. */
  fitsIdleNode: boolean;
  /** The request that fits now if only the constraint's amount is lowered; absent if none does. */
  nearest?: GpuRequest;
}

/** Looks at every node of the allowed models, in O(nodes). */
export function blockedReason(request: GpuRequest, table: NodeTable): Blocked {
  const passed = { model: 0, gpus: 0, cpu: 0 };
  const most = { gpuMilli: 0, cpuMilli: 0, memoryMib: 0 };
  let fitsIdleNode = false;
  for (const type of table.types) {
    if (!allowsModel(request, type)) continue;
    for (const node of type.nodes) {
      if (table.isOpen[node] === 0) continue;
      passed.model++;
      fitsIdleNode ||= fitsType(request, type);
      const gpuMilli = usableMilli(request, table, node);
      const hasGpus = gpuMilli >= request.gpus * request.gpuMilli;
      const hasCpu = (table.cpuFree[node] as number) >= request.cpuMilli;
      const hasMemory = (table.memoryFree[node] as number) >= request.memoryMib;
      if (hasGpus) passed.gpus++;
      if (hasGpus && hasCpu) passed.cpu++;
      if (hasCpu && hasMemory) most.gpuMilli = Math.max(most.gpuMilli, gpuMilli);
      if (hasGpus && hasMemory) most.cpuMilli = Math.max(most.cpuMilli, table.cpuFree[node] as number);
      if (hasGpus && hasCpu) most.memoryMib = Math.max(most.memoryMib, table.memoryFree[node] as number);
    }
  }
  const constraint = (["model", "gpus", "cpu"] as const).find((one) => passed[one] === 0) ?? "memory";
  const nearest = nearestRequest(request, constraint, most);
  return { constraint, fitsIdleNode, ...(nearest ? { nearest } : {}) };
}

/** The most thousandths that a request of this kind can get: of one device for a share, else of whole devices. */
function usableMilli(request: GpuRequest, table: NodeTable, node: number): number {
  if (!isShared(request)) return wholeDevices(table, node) * GPU_MILLI;
  const { gpus } = table.types[table.typeOf[node] as number] as NodeType;
  let most = 0;
  for (let device = 0; device < gpus; device++) most = Math.max(most, table.deviceIdleOf(node, device));
  return most;
}

type Amounts = Pick<GpuRequest, "gpuMilli" | "cpuMilli" | "memoryMib">;

function nearestRequest(request: GpuRequest, constraint: Constraint, most: Amounts): GpuRequest | undefined {
  if (constraint === "cpu") return most.cpuMilli > 0 ? { ...request, cpuMilli: most.cpuMilli } : undefined;
  if (constraint === "memory") return most.memoryMib > 0 ? { ...request, memoryMib: most.memoryMib } : undefined;
  if (constraint === "model" || most.gpuMilli === 0) return undefined;
  if (isShared(request)) return { ...request, gpuMilli: most.gpuMilli };
  return { ...request, gpus: most.gpuMilli / GPU_MILLI };
}
