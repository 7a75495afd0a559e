import { z } from "zod";
import type { Activation as ActivationRow } from "../../../engines/postgres/generated/client";
import type { AuditTarget } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { PLANES, type Plane } from "../../../operation/actor";
import { EXAMPLE_TIME } from "../../../operation/example";
import type { Families } from "../kinds/families";
import { PLAN_TIERS, type PlanTier, resourcesMaxOf } from "../planes/planes";

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

export const activationTarget = ({ id, service }: Pick<ActivationRow, "id" | "service">): AuditTarget => ({
  type: "activation",
  id,
  name: service,
});
