/** The scopes of which one is enough to see the page: resources of each plane have their own. */
export const PLANE_READS = ["gpuc:read", "edge:read", "obs:read", "shield:read"] as const;
