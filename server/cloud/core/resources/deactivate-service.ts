import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { activationTarget } from "./activation";
import type { Families } from "./family";
import { type StoredResource, serviceOf } from "./resource";
import type { ResourceCtx } from "./resource-ctx";
import { placeFields, resourceFields } from "./resource-fields";
import { RESOURCE_QUOTAS } from "./resources.quotas";
import { wakeService } from "./resources.sql";

export const DeactivateService = z.strictObject({
  plane: resourceFields.plane,
  service: resourceFields.service,
  mode: placeFields.mode,
});

/** Ends an activation. Throws `not_found`, and `conflict` (reason `has_resources`) for resources whose data would be lost. */
export const deactivateService = operation({
  id: "deactivateService",
  summary: "Deactivate a service",
  description:
    "Its resources are suspended: what they run ends, and their records and data stay, until the service is activated again. A service with resources whose data cannot be kept, such as buckets, is 409 with the reason `has_resources`: delete them first.",
  access: "gpuc:write",
  cost: "normal",
  input: DeactivateService,
  output: z.void(),
  example: { input: { service: "object" as const }, output: undefined },
  run: (ctx: ResourceCtx, { plane, service, mode: asked }) =>
    ctx.db.$transaction(async (tx) => {
      const place = { tenantId: ctx.actor.tenantId, mode: modeOf(ctx.actor, asked), plane, service };
      await assertQuota(tx, { ...place, adding: 0 }, RESOURCE_QUOTAS.resources);
      const row = await tx.activation.findFirst({ where: { ...place, endedAt: null } });
      if (!row) throw new ServiceError("not_found", `The service ${service} is not activated.`, { param: "service" });
      await assertCanSuspend(tx, ctx, place);
      const now = ctx.clock.now();
      await tx.activation.update({ where: { id: row.id }, data: { endedAt: now } });
      await wakeService(tx, { ...place, now });
      await recordAudit(tx, ctx, {
        ...{ action: "activation.deleted", targets: [activationTarget(row)], details: { service } },
      });
    }),
});

async function assertCanSuspend(
  tx: Prisma.TransactionClient,
  { families }: { families: Families },
  place: Pick<StoredResource, "tenantId" | "mode" | "plane" | "service">,
): Promise<void> {
  const where = { ...place, archivedAt: null, state: { notIn: ["placeholder", "deleting"] } };
  const kinds = await tx.resource.findMany({ where, distinct: ["kind"] });
  const kept = kinds.find((row) => !families.kindOf({ ...serviceOf(row), kind: row.kind }).suspend);
  if (!kept) return;
  throw new ServiceError(
    "conflict",
    `The ${kept.kind} "${kept.name}" has data that a suspended resource cannot keep: delete the resources of ${place.service} first.`,
    { param: "service", details: { reason: "has_resources", rid: kept.id } },
  );
}
