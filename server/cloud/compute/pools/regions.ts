/** The regions of the specification ("Pod", "What the service does"). */
export const REGIONS = ["apac", "use", "euw"] as const;
export type Region = (typeof REGIONS)[number];

/** Where a node is that does not say so, and a pod with GPUs that does not either. */
export const DEFAULT_REGION: Region = "use";
