import { z } from "zod";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { examplePage } from "../../operation/example";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { listScope } from "../list-scope";
import { notArchived, Project, toProject, withActiveKeys } from "./project";
import { projectExample } from "./project.example";

/** Lists the projects of the actor's tenant that are not archived, oldest first. */
export const listProjects = operation({
  id: "listProjects",
  summary: "List projects",
  access: "projects:read",
  input: z.strictObject(PageQuery.shape),
  output: pageOf(Project),
  example: { input: { limit: 50 }, output: examplePage(projectExample) },
  run: async (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    const { tenantId } = actor;
    return fetchPage(listScope(ctx, "projects"), input, async ({ after, take }) => {
      const rows = await db.project.findMany({
        where: { ...notArchived(tenantId), ...(after === undefined ? {} : { id: { gt: after } }) },
        include: withActiveKeys(clock.now()),
        orderBy: { id: "asc" },
        take,
      });
      return rows.map(toProject);
    });
  },
});
