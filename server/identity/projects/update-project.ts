import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { recordUpdate } from "../audit/record-update";
import { newEvent } from "../events/record-event";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { lockTenant } from "../tenants/tenant.sql";
import { IdText, NameText } from "../wire-text";
import { notArchived, Project, projectTarget, refuseTakenName, toProject, withActiveKeys } from "./project";
import { projectUpdated } from "./project.events";
import { projectExample } from "./project.example";

export const UpdateProject = z.strictObject({ id: IdText, name: NameText.optional() });

/** Renames a project. Throws `not_found`, and `conflict` when the name is taken. */
export const updateProject = operation({
  id: "updateProject",
  summary: "Rename a project",
  access: "projects:write",
  cost: "normal",
  input: UpdateProject,
  output: Project,
  example: { input: { id: projectExample.id, name: "Shop" }, output: { ...projectExample, name: "Shop" } },
  run: (ctx: ActorCtx, { id, name }) => {
    const { db, clock, actor } = ctx;
    const { tenantId } = actor;
    const include = withActiveKeys(clock.now());
    return db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const row = await tx.project.findFirst({ where: { ...notArchived(tenantId), id }, include });
      if (!row) throw notFound("project", id);
      if (name === undefined) return toProject(row);
      await refuseTakenName(tx, { tenantId, name, exceptId: id });
      const [before, after] = [toProject(row), { ...toProject(row), name }];
      await tx.project.update({ where: { id }, data: { name } });
      const event = () => newEvent(projectUpdated, { ...after, previous_name: before.name });
      await recordUpdate(tx, ctx, { target: projectTarget(after), before, after, event });
      return after;
    });
  },
});
