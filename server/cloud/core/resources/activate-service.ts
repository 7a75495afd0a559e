import { z } from "zod";
import type { Activation as ActivationRow, Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { ownerFields } from "../../../identity/owner-fields";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { Families } from "../kinds/families";
import { assertPlaneScope } from "../planes/plane-scope";
import { gateOf, PLAN_TIERS, type PlanTier, type ServiceId, tiersOf } from "../planes/planes";
import type { ResourceCtx } from "../records/resource-ctx";
import { RESOURCE_QUOTAS } from "../records/resources.quotas";
import { ACTIVATION_ID_PREFIX, Activation, activationExample, activationTarget, toActivation } from "./activation";
import { wakeService } from "./activations.sql";
import { resourceFields } from "./resource-fields";

/**
 * Activates a service for the tenant, or changes its tier. Throws `invalid_request` for a service that has no activation
 * of its own, and for a tier that its plane does not have.
 */
export const activateService = operation({
  id: "activateService",
  summary: "Activate a service, or change its plan tier",
  description:
    "Resources of an activated service are really provisioned; others are placeholders. An activation belongs to the whole tenant in one mode, and costs nothing by itself. Each service of gpuc and edge has its own; those of obs are provisioned while the service observe of gpuc is activated, and those of shield always. Suspended resources are provisioned again. Placeholders stay until their resource is created again.",
  access: "plane:write",
  stores: true,
  input: z.strictObject({
    plane: resourceFields.plane,
    service: resourceFields.service,
    plan_tier: z
      .enum(PLAN_TIERS)
      .optional()
      .describe(
        "How many resources it may have. gpuc: starter (default), business or enterprise; edge: free (default), pro, business or enterprise",
      ),
    mode: ownerFields.mode,
  }),
  output: Activation,
  example: { input: { service: "object", plan_tier: "business" as const }, output: activationExample },
  run: async (ctx: ResourceCtx, { plane, service, plan_tier: asked, mode }) => {
    assertPlaneScope(ctx.actor, plane, "write");
    assertHasActivation(ctx.families, { plane, service });
    const planTier = tierOf({ plane, service }, asked);
    return ctx.db.$transaction(async (tx) => {
      const owner = { tenantId: ctx.actor.tenantId, mode: modeOf(ctx.actor, mode), plane, service };
      // The lock for which creations of resources wait too, so that they see the one state or the other.
      await assertQuota(tx, { ...owner, adding: 0 }, RESOURCE_QUOTAS.resources);
      const before = await tx.activation.findFirst({ where: { ...owner, endedAt: null } });
      if (before?.planTier === planTier) return toActivation(ctx.families, before);
      const row = await storeActivation(tx, ctx, { owner, before, planTier });
      await recordAudit(tx, ctx, {
        action: before ? "activation.updated" : "activation.created",
        targets: [activationTarget(row)],
        details: { plane, service, plan_tier: planTier },
      });
      return toActivation(ctx.families, row);
    });
  },
});

function assertHasActivation(families: Families, { plane, service }: ServiceId): void {
  families.askedFamily({ plane, service });
  const gate = gateOf({ plane, service });
  if (gate?.plane === plane && gate.service === service) return;
  const why = gate
    ? `services of ${plane} are provisioned while ${gate.service} of ${gate.plane} is activated: activate that.`
    : `services of ${plane} need no activation.`;
  throw new ServiceError("invalid_request", `service: ${why}`, { param: "service" });
}

function tierOf({ plane, service }: ServiceId, asked: PlanTier | undefined): PlanTier {
  const tiers = tiersOf(plane);
  const tier = asked ?? tiers[0];
  if (tier !== undefined && tiers.includes(tier)) return tier;
  const message = `plan_tier: ${service} of ${plane} has the tiers ${tiers.join(", ")}.`;
  throw new ServiceError("invalid_request", message, { param: "plan_tier" });
}

interface Stored {
  owner: Pick<ActivationRow, "tenantId" | "mode" | "service"> & ServiceId;
  before: ActivationRow | null;
  planTier: string;
}

async function storeActivation(
  tx: Prisma.TransactionClient,
  { clock }: Pick<ResourceCtx, "clock">,
  { owner, before, planTier }: Stored,
): Promise<ActivationRow> {
  if (before) return tx.activation.update({ where: { id: before.id }, data: { planTier } });
  const now = clock.now();
  await wakeService(tx, { ...owner, now });
  const id = newId(ACTIVATION_ID_PREFIX, now.getTime());
  return tx.activation.create({ data: { id, ...owner, planTier, startedAt: now } });
}
