import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";

/** Longer names first: GB200 is not a B200. */
const NAME = new RegExp(
  `^(?:NVIDIA )?(${[...GPU_MODELS].sort((a, b) => b.length - a.length).join("|")})(?=[ -]|$)`,
  "i",
);

/** The model of a GPU by its name in `nvidia-smi`, such as `NVIDIA H100 80GB HBM3`; undefined: svc does not offer it. */
export function gpuModelOf(name: string): GpuModel | undefined {
  const model = /\bMIG\b/.test(name) ? undefined : NAME.exec(name)?.[1];
  return model?.toLowerCase() as GpuModel | undefined;
}
