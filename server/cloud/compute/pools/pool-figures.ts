import type { GpuPool } from "./pool";

/** What pods hold of a node. */
export interface NodeUse {
  gpus: number;
  usedGpus: number;
  spotGpus: number;
  isCordoned: boolean;
  /** Those that are given to no pod, besides the ones that pods hold. */
  withheldGpus: number;
}

type Figures = Omit<GpuPool, "region" | "gpu" | "simulated">;

/** The figures of a pool from those of its nodes. Free GPUs of a cordoned node count as neither free nor scattered. */
export function poolFigures(nodes: readonly NodeUse[]): Figures {
  const figures: Figures = {
    nodes: nodes.length,
    gpus: 0,
    used_gpus: 0,
    spot_gpus: 0,
    free_gpus: 0,
    largest_free: 0,
    scattered_gpus: 0,
  };
  for (const { gpus, usedGpus, spotGpus, isCordoned, withheldGpus } of nodes) {
    const free = isCordoned ? 0 : gpus - usedGpus - withheldGpus;
    figures.gpus += gpus;
    figures.used_gpus += usedGpus;
    figures.spot_gpus += spotGpus;
    figures.free_gpus += free;
    figures.largest_free = Math.max(figures.largest_free, free);
    if (usedGpus > 0) figures.scattered_gpus += free;
  }
  return figures;
}
