import type { GpuModel } from "../../core/prices/gpu-models";
import { FLEET, isLivePool } from "../pools/fleet";
import type { PodToPlace } from "./pod-to-place";

/** Whether pods of a gang, with so many GPUs together, wait for a rack with one NVLink domain: if one could hold them. */
export function needsOneRack(
  { gpu, reservationId }: PodToPlace,
  { pool, gpus }: { pool: string; gpus: number },
): boolean {
  // Nodes do not say which of them share an NVLink domain, and a reservation has the nodes that it has.
  if (isLivePool(pool) || reservationId !== null) return false;
  const { nodesPerRack, gpusPerNode } = FLEET[gpu as GpuModel];
  return nodesPerRack !== undefined && gpus <= nodesPerRack * gpusPerNode;
}
