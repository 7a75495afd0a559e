import { z } from "zod";
import { notFound, ServiceError } from "../../kernel/errors";
import type { Actor } from "../../operation/actor";
import { recordUpdate } from "../audit/record-update";
import { newEvent } from "../events/record-event";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { lockTenant } from "../tenants/tenant.sql";
import { IdText, NameText } from "../wire-text";
import { notArchived, Project, projectTarget, refuseTakenName, toProject, withActiveKeys } from "./project";
import { projectUpdated } from "./project.events";
import { projectExample } from "./project.example";

/**
 * Renames a project. Throws `not_found`, `forbidden` for a key and a project that other keys use (reason
 * `other_project`), and `conflict` when the name is taken.
 */
export const updateProject = operation({
  id: "updateProject",
  summary: "Rename a project",
  description: "A key renames its own project, and others only while these have no active keys.",
  access: "projects:write",
  input: z.strictObject({ id: IdText, name: NameText.optional() }),
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
      refuseForeign(actor, toProject(row));
      await refuseTakenName(tx, { tenantId, name, exceptId: id });
      const [before, after] = [toProject(row), { ...toProject(row), name }];
      await tx.project.update({ where: { id }, data: { name } });
      const event = () => newEvent(projectUpdated, { ...after, previous_name: before.name });
      await recordUpdate(tx, ctx, { target: projectTarget(after), before, after, event });
      return after;
    });
  },
});

/** Projects are found by their names: another one must not lose its own. */
function refuseForeign(actor: Actor, { id, active_keys }: Project): void {
  if (actor.kind !== "key" || actor.projectId === id || active_keys === 0) return;
  throw new ServiceError("forbidden", "A key cannot rename another project that has active keys.", {
    details: { reason: "other_project" },
  });
}
