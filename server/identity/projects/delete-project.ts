import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { notFound, ServiceError } from "../../kernel/errors";
import { activeAt } from "../active-keys";
import { recordAudit } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { lockTenant } from "../tenants/tenant.sql";
import { IdText } from "../wire-text";
import { notArchived, projectTarget, toProject } from "./project";
import { projectArchived } from "./project.events";
import { projectExample } from "./project.example";
import { lockProject } from "./project.sql";

/**
 * Archives a project: it disappears from lists and its name can be reused. Throws `not_found`, and `conflict` when it
 * has active keys (reason `active_keys`) or is the last one of the tenant (reason `last_project`).
 */
export const deleteProject = operation({
  id: "deleteProject",
  summary: "Archive a project without active keys",
  access: "projects:write",
  input: z.strictObject({ id: IdText }),
  output: z.void(),
  example: { input: { id: projectExample.id }, output: undefined },
  run: async (ctx: ActorCtx, { id }) => {
    const { db, clock, actor } = ctx;
    const { tenantId } = actor;
    const now = clock.now();
    await db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const row = await tx.project.findFirst({ where: { ...notArchived(tenantId), id } });
      if (!row) throw notFound("project", id);
      // Waits for a concurrent key creation, so that its key is counted.
      await lockProject(tx, id);
      await refuseActiveKeys(tx, id, now);
      if ((await tx.project.count({ where: notArchived(tenantId) })) === 1) throw lastProject();
      await tx.project.update({ where: { id }, data: { archivedAt: now } });
      const events = [newEvent(projectArchived, toProject({ ...row, _count: { apiKeys: 0 } }))];
      await recordAudit(tx, ctx, { action: "project.archived", targets: [projectTarget(row)], events });
    });
  },
});

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
