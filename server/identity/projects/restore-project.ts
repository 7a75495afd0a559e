import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { recordAudit } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { assertQuota } from "../quotas/assert-quota";
import { lockTenant } from "../tenants/tenant.sql";
import { IdText } from "../wire-text";
import { Project, projectTarget, refuseTakenName, toProject, withActiveKeys } from "./project";
import { projectRestored } from "./project.events";
import { projectExample } from "./project.example";
import { PROJECTS_QUOTA } from "./projects.quotas";

/**
 * Restores an archived project; its keys stay revoked. One that is not archived is returned unchanged. Throws
 * `not_found`, `conflict` when another project has taken the name, and `quota_exceeded`.
 */
export const restoreProject = operation({
  id: "restoreProject",
  summary: "Restore an archived project",
  description: "Its keys stay revoked. A project that is not archived is returned unchanged.",
  access: "projects:write",
  input: z.strictObject({ id: IdText }),
  output: Project,
  example: { input: { id: projectExample.id }, output: { ...projectExample, active_keys: 0 } },
  run: (ctx: ActorCtx, { id }) => {
    const { db, clock, actor } = ctx;
    const { tenantId } = actor;
    return db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const row = await tx.project.findFirst({ where: { tenantId, id }, include: withActiveKeys(clock.now()) });
      if (!row) throw notFound("project", id);
      if (row.archivedAt === null) return toProject(row);
      await refuseTakenName(tx, { tenantId, name: row.name });
      await assertQuota(tx, actor, PROJECTS_QUOTA);
      await tx.project.update({ where: { id }, data: { archivedAt: null } });
      const restored = toProject(row);
      const events = [newEvent(projectRestored, restored)];
      await recordAudit(tx, ctx, { action: "project.restored", targets: [projectTarget(row)], events });
      return restored;
    });
  },
});
