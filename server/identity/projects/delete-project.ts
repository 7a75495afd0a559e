import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { notFound, ServiceError } from "../../kernel/errors";
import { requireScope } from "../actors/require-scope";
import { activeAt } from "../api-keys/api-key";
import { recordAudit } from "../audit/record-audit";
import type { ActorCtx } from "../identity-ctx";
import { lockTenant } from "../tenants/tenant.sql";
import { IdText } from "../wire-text";
import { livingOf, projectTarget } from "./project";
import { holdProject } from "./project.sql";

export const DeleteProject = z.strictObject({ id: IdText });

/**
 * Archives a project: it is gone from lists and its name is free. Throws `not_found`, and `conflict` while it has active
 * keys (reason `active_keys`) or is the tenant's last (reason `last_project`).
 */
export async function deleteProject(ctx: ActorCtx, { id }: z.output<typeof DeleteProject>): Promise<void> {
  const { db, clock, actor } = ctx;
  requireScope(actor, "projects:write");
  const { tenantId } = actor;
  const now = clock.now();
  await db.$transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const row = await tx.project.findFirst({ where: { ...livingOf(tenantId), id } });
    if (!row) throw notFound("project", id);
    // A key that is being made there is finished first, and counts.
    await holdProject(tx, id);
    await refuseActiveKeys(tx, id, now);
    if ((await tx.project.count({ where: livingOf(tenantId) })) === 1) throw lastProject();
    await tx.project.update({ where: { id }, data: { archivedAt: now } });
    await recordAudit(tx, ctx, { action: "project.archived", targets: [projectTarget(row)] });
  });
}

async function refuseActiveKeys(tx: Prisma.TransactionClient, projectId: string, now: Date): Promise<void> {
  const active = await tx.apiKey.count({ where: { projectId, ...activeAt(now) } });
  if (active === 0) return;
  const keys = active === 1 ? "1 active key" : `${active} active keys`;
  throw new ServiceError("conflict", `This project has ${keys}; revoke them first.`, {
    details: { reason: "active_keys", active_keys: active },
  });
}

const lastProject = (): ServiceError =>
  new ServiceError("conflict", "A tenant keeps at least one project; create another one first.", {
    details: { reason: "last_project" },
  });
