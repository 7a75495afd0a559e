/** Groups of services, by the prefix of their tools. */
export const PLANES = ["gpuc"] as const;
export type Plane = (typeof PLANES)[number];

/** The services of `gpuc` ("Compute and infrastructure tools" of the specification). */
export const RESOURCE_SERVICES = [
  ...(["gpu", "cpu", "baremetal", "object", "dfs", "net", "cks"] as const),
  ...(["sunk", "flc", "nlc", "observe", "inference", "tensorizer"] as const),
] as const;
export type ResourceService = (typeof RESOURCE_SERVICES)[number];

export const PLAN_TIERS = ["starter", "business", "enterprise"] as const;
export type PlanTier = (typeof PLAN_TIERS)[number];

/**
 * How many resources of one service a tenant can have in one mode, besides placeholders. The specification names the
 * tiers; the numbers are ours.
 */
export const RESOURCES_MAX: Readonly<Record<PlanTier, number>> = { starter: 10, business: 100, enterprise: 1000 };

/** Placeholders of one tenant in one mode, of all services. */
export const PLACEHOLDERS_MAX = 200;
