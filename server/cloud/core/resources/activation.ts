import { z } from "zod";
import type { Activation as ActivationRow, Prisma } from "../../../engines/postgres/generated/client";
import type { AuditTarget } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { EXAMPLE_TIME } from "../../../operation/example";
import type { ResourceIdentity } from "./placeholder";
import {
  PLAN_TIERS,
  PLANES,
  type Plane,
  type PlanTier,
  RESOURCE_SERVICES,
  RESOURCES_MAX,
  type ResourceService,
} from "./services";

export const ACTIVATION_ID_PREFIX = "act";

export const Activation = z
  .object({
    mode: ModeName,
    plane: z.enum(PLANES),
    service: z.enum(RESOURCE_SERVICES),
    plan_tier: z.enum(PLAN_TIERS),
    resources_max: z.int().describe("How many resources of the service the tier allows in this mode"),
    started_at: z.iso.datetime(),
  })
  .meta({ id: "Activation" });
export type Activation = z.infer<typeof Activation>;

export const toActivation = ({ mode, plane, service, planTier, startedAt }: ActivationRow): Activation => ({
  ...{ mode, plane: plane as Plane, service: service as ResourceService, plan_tier: planTier as PlanTier },
  ...{ resources_max: RESOURCES_MAX[planTier as PlanTier], started_at: startedAt.toISOString() },
});

export const activationExample: Activation = {
  ...{ mode: "live", plane: "gpuc", service: "object", plan_tier: "business" },
  ...{ resources_max: RESOURCES_MAX.business, started_at: EXAMPLE_TIME },
};

/** The tier of a service that a tenant has activated; undefined: it is not activated. */
export async function activeTier(
  tx: Prisma.TransactionClient,
  { tenantId, mode, plane, service }: Pick<ResourceIdentity, "tenantId" | "mode" | "plane" | "service">,
): Promise<PlanTier | undefined> {
  const row = await tx.activation.findFirst({ where: { tenantId, mode, plane, service, endedAt: null } });
  return row ? (row.planTier as PlanTier) : undefined;
}

export const activationTarget = ({ id, service }: Pick<ActivationRow, "id" | "service">): AuditTarget => ({
  ...{ type: "activation", id, name: service },
});
