import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { IdText } from "../wire-text";
import { notArchived, Project, toProject, withActiveKeys } from "./project";
import { projectExample } from "./project.example";

/** Returns a project of the actor's tenant that is not archived. Throws `not_found`. */
export const getProject = operation({
  id: "getProject",
  summary: "Get a project",
  access: "projects:read",
  input: z.strictObject({ id: IdText }),
  output: Project,
  example: { input: { id: projectExample.id }, output: projectExample },
  run: async ({ db, clock, actor }: ActorCtx, { id }) => {
    const row = await db.project.findFirst({
      where: { ...notArchived(actor.tenantId), id },
      include: withActiveKeys(clock.now()),
    });
    if (!row) throw notFound("project", id);
    return toProject(row);
  },
});
