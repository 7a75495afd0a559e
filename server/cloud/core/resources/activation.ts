import { z } from "zod";
import type { Activation as ActivationRow, Prisma } from "../../../engines/postgres/generated/client";
import type { AuditTarget } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { type Mode, PLANES, type Plane } from "../../../operation/actor";
import { EXAMPLE_TIME } from "../../../operation/example";
import type { Families } from "./family";
import { gateOf, PLAN_TIERS, type PlanTier, resourcesMaxOf, type ServiceId } from "./planes";

export const ACTIVATION_ID_PREFIX = "act";

export const Activation = z
  .object({
    mode: ModeName,
    plane: z.enum(PLANES),
    service: z.string(),
    plan_tier: z.enum(PLAN_TIERS),
    resources_max: z.int().describe("How many resources of the service the tier allows in this mode"),
    started_at: z.iso.datetime(),
  })
  .meta({ id: "Activation" });
export type Activation = z.infer<typeof Activation>;

export function toActivation(families: Families, { mode, service, startedAt, ...row }: ActivationRow): Activation {
  const [plane, tier] = [row.plane as Plane, row.planTier as PlanTier];
  return {
    mode,
    plane,
    service,
    plan_tier: tier,
    resources_max: resourcesMaxOf(plane, tier, families.find({ plane, service })?.quotaPerTier),
    started_at: startedAt.toISOString(),
  };
}

export const activationExample: Activation = {
  mode: "live",
  plane: "gpuc",
  service: "object",
  plan_tier: "business",
  resources_max: resourcesMaxOf("gpuc", "business"),
  started_at: EXAMPLE_TIME,
};

interface ActivatedPlace extends ServiceId {
  tenantId: string;
  mode: Mode;
}

/** The tier with which a tenant has a service, null for one that needs no activation; undefined: it is not activated. */
export async function activeTier(
  tx: Prisma.TransactionClient,
  { tenantId, mode, ...of }: ActivatedPlace,
): Promise<PlanTier | null | undefined> {
  const gate = gateOf(of);
  if (!gate) return null;
  const { plane, service } = gate;
  const row = await tx.activation.findFirst({ where: { tenantId, mode, plane, service, endedAt: null } });
  return row ? (row.planTier as PlanTier) : undefined;
}

export const activationTarget = ({ id, service }: Pick<ActivationRow, "id" | "service">): AuditTarget => ({
  type: "activation",
  id,
  name: service,
});
