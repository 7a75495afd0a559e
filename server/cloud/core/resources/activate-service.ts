import { z } from "zod";
import type { Activation as ActivationRow, Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { newId } from "../../../kernel/ids";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { ACTIVATION_ID_PREFIX, Activation, activationExample, activationTarget, toActivation } from "./activation";
import type { ResourceCtx } from "./resource-ctx";
import { placeFields, resourceFields } from "./resource-fields";
import { RESOURCE_QUOTAS } from "./resources.quotas";
import { wakeService } from "./resources.sql";
import { PLAN_TIERS } from "./services";

export const ActivateService = z.strictObject({
  plane: resourceFields.plane,
  service: resourceFields.service,
  plan_tier: z.enum(PLAN_TIERS).default("starter").describe("How many resources it may have; default starter"),
  mode: placeFields.mode,
});

/** Activates a service for the tenant, or changes its tier. */
export const activateService = operation({
  id: "activateService",
  summary: "Activate a service, or change its plan tier",
  description:
    "Resources of an activated service are really provisioned; others are placeholders. An activation belongs to the whole tenant in one mode, and costs nothing by itself. Suspended resources are provisioned again. Placeholders stay until their resource is created again.",
  access: "gpuc:write",
  cost: "normal",
  stores: true,
  input: ActivateService,
  output: Activation,
  example: { input: { service: "object" as const, plan_tier: "business" as const }, output: activationExample },
  run: (ctx: ResourceCtx, { plane, service, plan_tier: planTier, mode: asked }) =>
    ctx.db.$transaction(async (tx) => {
      const place = { tenantId: ctx.actor.tenantId, mode: modeOf(ctx.actor, asked), plane, service };
      // The lock for which creations of resources wait too, so that they see the one state or the other.
      await assertQuota(tx, { ...place, adding: 0 }, RESOURCE_QUOTAS.resources);
      const before = await tx.activation.findFirst({ where: { ...place, endedAt: null } });
      if (before?.planTier === planTier) return toActivation(before);
      const row = await storeActivation(tx, ctx, { place, before, planTier });
      await recordAudit(tx, ctx, {
        ...{ action: before ? "activation.updated" : "activation.created", targets: [activationTarget(row)] },
        details: { service, plan_tier: planTier },
      });
      return toActivation(row);
    }),
});

interface Stored {
  place: Pick<ActivationRow, "tenantId" | "mode" | "plane" | "service">;
  before: ActivationRow | null;
  planTier: string;
}

async function storeActivation(
  tx: Prisma.TransactionClient,
  { clock }: Pick<ResourceCtx, "clock">,
  { place, before, planTier }: Stored,
): Promise<ActivationRow> {
  if (before) return tx.activation.update({ where: { id: before.id }, data: { planTier } });
  const now = clock.now();
  await wakeService(tx, { ...place, now });
  const id = newId(ACTIVATION_ID_PREFIX, now.getTime());
  return tx.activation.create({ data: { id, ...place, planTier, startedAt: now } });
}
