import type { z } from "zod";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { ActorCtx } from "../identity-ctx";
import { type Project, toProject } from "./project";

export const ListProjects = PageQuery;

/** The projects of the actor's tenant, oldest first; a key sees its own alone. */
export async function listProjects(
  { db, clock, actor, cursorKey }: ActorCtx,
  input: z.output<typeof ListProjects>,
): Promise<Page<Project>> {
  const { tenantId } = actor;
  const own = actor.kind === "key" ? { AND: { id: actor.projectId } } : {};
  const scope = { key: cursorKey, clock, tenantId, filter: "projects" };
  return fetchPage(scope, input, async ({ after, take }) => {
    const rows = await db.project.findMany({
      where: { tenantId, ...own, ...(after === undefined ? {} : { id: { gt: after } }) },
      orderBy: { id: "asc" },
      take,
    });
    return rows.map(toProject);
  });
}
