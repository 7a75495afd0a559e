/** The GPU models of the specification ("Pod", "What the service does"). */
export const GPU_MODELS = ["h100", "h200", "b200", "b300", "gb200", "gb300", "a100", "l40s"] as const;
export type GpuModel = (typeof GPU_MODELS)[number];
