import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { requireScope } from "../actors/require-scope";
import { recordUpdate } from "../audit/record-update";
import type { ActorCtx } from "../identity-ctx";
import { lockTenant } from "../tenants/tenant.sql";
import { IdText, NameText } from "../wire-text";
import { livingOf, type Project, projectTarget, refuseTakenName, toProject, withActiveKeys } from "./project";

export const UpdateProject = z.strictObject({ id: IdText, name: NameText.optional() });

/** Renames a project. Throws `not_found`, and `conflict` when another has the name. */
export function updateProject(ctx: ActorCtx, { id, name }: z.output<typeof UpdateProject>): Promise<Project> {
  const { db, clock, actor } = ctx;
  requireScope(actor, "projects:write");
  const { tenantId } = actor;
  const include = withActiveKeys(clock.now());
  return db.$transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const row = await tx.project.findFirst({ where: { ...livingOf(tenantId), id }, include });
    if (!row) throw notFound("project", id);
    if (name === undefined) return toProject(row);
    await refuseTakenName(tx, { tenantId, name, exceptId: id });
    const [before, after] = [toProject(row), { ...toProject(row), name }];
    await tx.project.update({ where: { id }, data: { name } });
    await recordUpdate(tx, ctx, { target: projectTarget(after), before, after });
    return after;
  });
}
