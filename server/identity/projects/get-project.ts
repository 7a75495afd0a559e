import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { requireScope } from "../actors/require-scope";
import type { ActorCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { livingOf, type Project, toProject, withActiveKeys } from "./project";

export const GetProject = z.strictObject({ id: IdText });

/** One living project of the actor's tenant. Throws `not_found`. */
export async function getProject(
  { db, clock, actor }: ActorCtx,
  { id }: z.output<typeof GetProject>,
): Promise<Project> {
  requireScope(actor, "projects:read");
  const row = await db.project.findFirst({
    where: { ...livingOf(actor.tenantId), id },
    include: withActiveKeys(clock.now()),
  });
  if (!row) throw notFound("project", id);
  return toProject(row);
}
