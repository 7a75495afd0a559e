import { z } from "zod";
import { listScope } from "../../../identity/list-scope";
import { ownerFields } from "../../../identity/owner-fields";
import { ownerScope } from "../../../identity/projects/owner-scope";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { Secret, toSecret } from "./secret";
import { secretExample } from "./secret.example";
import type { SecretCtx } from "./secret-ctx";

/**
 * Lists the secrets of one mode, newest first, without values: those that a key's own project can use, which includes
 * those of the whole tenant, or a person's of all projects.
 */
export const listSecrets = operation({
  id: "listSecrets",
  summary: "List secrets, without their values",
  access: "secrets:read",
  input: z.strictObject({
    ...PageQuery.shape,
    mode: ownerFields.mode,
    project: ownerFields.project.describe("Only secrets that this project can use, by its id or name"),
  }),
  output: pageOf(Secret),
  example: { input: { limit: 50 }, output: examplePage(secretExample) },
  run: async (ctx: SecretCtx, input) => {
    const { db, actor } = ctx;
    const { mode, projectId } = await ownerScope(ctx, input);
    return fetchPage(listScope(ctx, "secrets", { mode, projectId }), input, async ({ after, take }) => {
      const rows = await db.secret.findMany({
        where: {
          tenantId: actor.tenantId,
          mode,
          ...(projectId !== undefined && { OR: [{ projectId }, { projectId: null }] }),
          ...(after !== undefined && { id: { lt: after } }),
        },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(toSecret);
    });
  },
});
