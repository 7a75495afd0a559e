import { z } from "zod";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import { requireScope } from "../actors/require-scope";
import type { ActorCtx } from "../identity-ctx";
import { livingOf, type Project, toProject, withActiveKeys } from "./project";

export const ListProjects = z.strictObject(PageQuery.shape);

/** The living projects of the actor's tenant, oldest first. */
export async function listProjects(
  { db, clock, actor, cursorKey }: ActorCtx,
  input: z.output<typeof ListProjects>,
): Promise<Page<Project>> {
  requireScope(actor, "projects:read");
  const { tenantId } = actor;
  const scope = { key: cursorKey, clock, tenantId, filter: "projects" };
  return fetchPage(scope, input, async ({ after, take }) => {
    const rows = await db.project.findMany({
      where: { ...livingOf(tenantId), ...(after === undefined ? {} : { id: { gt: after } }) },
      include: withActiveKeys(clock.now()),
      orderBy: { id: "asc" },
      take,
    });
    return rows.map(toProject);
  });
}
