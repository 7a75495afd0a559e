import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { ownerFields } from "../../../identity/owner-fields";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { type Mode, modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { Families } from "../kinds/families";
import { assertPlaneScope } from "../planes/plane-scope";
import { planesGatedBy, type ServiceId, serviceOf } from "../planes/planes";
import type { ResourceCtx } from "../records/resource-ctx";
import { RESOURCE_QUOTAS } from "../records/resources.quotas";
import { activationTarget } from "./activation";
import { wakeService } from "./activations.sql";
import { resourceFields } from "./resource-fields";

/** Ends an activation. Throws `not_found`, and `conflict` (reason `has_resources`) for resources whose data would be lost. */
export const deactivateService = operation({
  id: "deactivateService",
  summary: "Deactivate a service",
  description:
    "A service of gpuc, unless `plane` says otherwise. Its resources are suspended: what they run ends, and their records and data stay, until the service is activated again. A service with resources whose data cannot be kept, such as buckets, is 409 with the reason `has_resources`: delete them first.",
  access: "plane:write",
  input: z.strictObject({
    plane: resourceFields.plane,
    service: resourceFields.service,
    mode: ownerFields.mode,
  }),
  output: z.void(),
  example: { input: { service: "object" }, output: undefined },
  run: async (ctx: ResourceCtx, { plane, service, mode: asked }) => {
    assertPlaneScope(ctx.actor, plane, "write");
    return ctx.db.$transaction(async (tx) => {
      const owner = { tenantId: ctx.actor.tenantId, mode: modeOf(ctx.actor, asked), plane, service };
      await assertQuota(tx, { ...owner, adding: 0 }, RESOURCE_QUOTAS.resources);
      const row = await tx.activation.findFirst({ where: { ...owner, endedAt: null } });
      if (!row) throw new ServiceError("not_found", `The service ${service} is not activated.`, { param: "service" });
      await assertCanSuspend(tx, ctx, owner);
      const now = ctx.clock.now();
      await tx.activation.update({ where: { id: row.id }, data: { endedAt: now } });
      await wakeService(tx, { ...owner, now });
      await recordAudit(tx, ctx, {
        action: "activation.deleted",
        targets: [activationTarget(row)],
        details: { plane, service },
      });
    });
  },
});

async function assertCanSuspend(
  tx: Prisma.TransactionClient,
  { families }: { families: Families },
  { tenantId, mode, plane, service }: ServiceId & { tenantId: string; mode: Mode },
): Promise<void> {
  const dependent = [{ plane, service }, { plane: { in: planesGatedBy({ plane, service }) } }];
  const where = { tenantId, mode, OR: dependent, archivedAt: null, state: { notIn: ["placeholder", "deleting"] } };
  const kinds = await tx.resource.findMany({ where, distinct: ["plane", "service", "kind"] });
  const kept = kinds.find((row) => !families.kindOf({ ...serviceOf(row), kind: row.kind }).suspend);
  if (!kept) return;
  throw new ServiceError(
    "conflict",
    `The ${kept.kind} "${kept.name}" has data that a suspended resource cannot keep: delete the resources of ${kept.service} first.`,
    { param: "service", details: { reason: "has_resources", rid: kept.id } },
  );
}
