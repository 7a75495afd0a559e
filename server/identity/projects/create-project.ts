import { z } from "zod";
import { newId } from "../../kernel/ids";
import { requireScope } from "../actors/require-scope";
import { recordAudit } from "../audit/record-audit";
import type { ActorCtx } from "../identity-ctx";
import { requireRoom } from "../quotas/require-room";
import { NameText } from "../wire-text";
import { type Project, projectTarget, refuseTakenName, toProject } from "./project";

export const CreateProject = z.strictObject({ name: NameText });

/**
 * Adds a project, which groups keys, to the actor's tenant. Throws `conflict` when another has the name, and
 * `quota_exceeded`.
 */
export function createProject(ctx: ActorCtx, { name }: z.output<typeof CreateProject>): Promise<Project> {
  const { db, clock, actor } = ctx;
  requireScope(actor, "projects:write");
  const { tenantId } = actor;
  const now = clock.now();
  return db.$transaction(async (tx) => {
    await requireRoom(tx, actor, "projects");
    await refuseTakenName(tx, { tenantId, name });
    const row = await tx.project.create({ data: { id: newId("prj", now.getTime()), tenantId, name, createdAt: now } });
    await recordAudit(tx, ctx, { action: "project.created", targets: [projectTarget(row)] });
    return toProject({ ...row, _count: { apiKeys: 0 } });
  });
}
