import { PLANES, type Plane } from "../../../operation/actor";

/** One service of one plane: its name alone identifies nothing, as planes have services of the same name. */
export interface ServiceId {
  plane: Plane;
  service: string;
}

/** The service of a stored row. */
export const serviceOf = ({ plane, service }: { plane: string; service: string }): ServiceId => ({
  plane: plane as Plane,
  service,
});

interface PlaneDefinition {
  label: string;
  /** What the names of its tools begin with. */
  toolPrefix: string;
  /** What is activated before resources of a service are provisioned; null: nothing. `own`: the service itself. */
  gate: "own" | ServiceId | null;
  /** How many resources of one service a tenant can have in one mode, besides placeholders, by plan tier. */
  tiers: Readonly<Record<string, number>>;
}

/** The specification names the tiers; the numbers are ours. */
const COMPUTE_TIERS = { starter: 10, business: 100, enterprise: 1000 } as const;
const EDGE_TIERS = { free: 10, pro: 50, business: 200, enterprise: 1000 } as const;
const UNGATED_MAX = 1000;

/** What differs between the planes. Scopes are `<plane>:read` and `<plane>:write`. */
export const PLANE_DEFINITIONS: Readonly<Record<Plane, PlaneDefinition>> = {
  gpuc: { label: "Compute and infrastructure", toolPrefix: "gpuc_", gate: "own", tiers: COMPUTE_TIERS },
  edge: { label: "Edge", toolPrefix: "edgec_", gate: "own", tiers: EDGE_TIERS },
  obs: {
    label: "Observability",
    toolPrefix: "obs_",
    gate: { plane: "gpuc", service: "observe" },
    tiers: COMPUTE_TIERS,
  },
  shield: { label: "Security", toolPrefix: "shield_", gate: null, tiers: {} },
};

/** The tiers of all planes. */
export const PLAN_TIERS = ["starter", "free", "pro", "business", "enterprise"] as const;
export type PlanTier = (typeof PLAN_TIERS)[number];

/** The tiers of a plane; the first one is the default. */
export const tiersOf = (plane: Plane): PlanTier[] => Object.keys(PLANE_DEFINITIONS[plane].tiers) as PlanTier[];

/** What must be activated for resources of a service; undefined: nothing. */
export function gateOf({ plane, service }: ServiceId): ServiceId | undefined {
  const { gate } = PLANE_DEFINITIONS[plane];
  return gate === "own" ? { plane, service } : (gate ?? undefined);
}

/** The planes whose resources depend on the activation of a service, besides its own. */
export const planesGatedBy = ({ plane, service }: ServiceId): Plane[] =>
  PLANES.filter((one) => {
    const { gate } = PLANE_DEFINITIONS[one];
    return gate !== null && gate !== "own" && gate.plane === plane && gate.service === service;
  });

/** How many resources of a service a tier allows; `perTier`: those of its family. */
export const resourcesMaxOf = (
  plane: Plane,
  tier: PlanTier | null,
  perTier: Readonly<Record<string, number>> = PLANE_DEFINITIONS[plane].tiers,
): number => (tier === null ? UNGATED_MAX : (perTier[tier] ?? 0));
