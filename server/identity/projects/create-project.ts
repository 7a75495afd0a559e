import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { requireScope } from "../actors/require-scope";
import type { ActorCtx } from "../identity-ctx";
import { NameText } from "../wire-text";
import { type Project, toProject } from "./project";

const PROJECTS_MAX = 100;

export const CreateProject = z.object({ name: NameText });

/** Adds a project, which groups keys, to the actor's tenant. Throws `quota_exceeded` for the 101st. */
export async function createProject(
  { db, clock, actor }: ActorCtx,
  { name }: z.output<typeof CreateProject>,
): Promise<Project> {
  requireScope(actor, "keys:write");
  const { tenantId } = actor;
  const now = clock.now();
  const row = await db.$transaction(async (tx) => {
    await tx.$queryRaw`select 1 from tenants where id = ${tenantId} for no key update`;
    if ((await tx.project.count({ where: { tenantId } })) >= PROJECTS_MAX) {
      throw new ServiceError("quota_exceeded", `A tenant has at most ${PROJECTS_MAX} projects.`);
    }
    return tx.project.create({ data: { id: newId("prj", now.getTime()), tenantId, name, createdAt: now } });
  });
  return toProject(row);
}
