import { type GpuModel, nodesOf } from "../gpu-pools/fleet";
import type { PoolNode } from "../reserved-gpus/choose-devices";

/** The nodes of a pool whose GPUs can be reserved, with the NVLink domain that those of a rack share. */
export const reservableNodes = (model: GpuModel): PoolNode[] =>
  nodesOf(model).map(({ name, gpus, domain }) => ({ name, gpus, ...(domain !== null && { domain }) }));

/** The GPUs of a pool that can be reserved. */
export const poolSize = (model: GpuModel): number => reservableNodes(model).reduce((sum, { gpus }) => sum + gpus, 0);
