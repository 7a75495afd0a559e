import { z } from "zod";
import { newId } from "../../kernel/ids";
import { recordAudit } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { lockTenant } from "../tenants/tenant.sql";
import { NameText } from "../wire-text";
import { Project, projectTarget, refuseTakenName, toProject } from "./project";
import { projectCreated } from "./project.events";
import { projectExample } from "./project.example";
import { PROJECTS_QUOTA } from "./projects.quotas";

/**
 * Creates a project, a group of keys, in the actor's tenant. Throws `conflict` when the name is taken, and
 * `quota_exceeded`.
 */
export const createProject = operation({
  id: "createProject",
  summary: "Create a project",
  access: "projects:write",
  idempotent: true,
  result: "created",
  quota: PROJECTS_QUOTA,
  input: z.strictObject({ name: NameText }),
  output: Project,
  example: { input: { name: projectExample.name }, output: projectExample },
  run: (ctx: ActorCtx, { name }) => {
    const { db, clock, actor } = ctx;
    const { tenantId } = actor;
    const now = clock.now();
    return db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      await refuseTakenName(tx, { tenantId, name });
      const row = await tx.project.create({
        data: { id: newId("prj", now.getTime()), tenantId, name, createdAt: now },
      });
      const project = toProject({ ...row, _count: { apiKeys: 0 } });
      const events = [newEvent(projectCreated, project)];
      await recordAudit(tx, ctx, { action: "project.created", targets: [projectTarget(row)], events });
      return project;
    });
  },
});
