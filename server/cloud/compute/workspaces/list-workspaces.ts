import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFilter } from "../../../identity/owner-fields";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { pageOfKind } from "../inside/page-of-kind";
import { storedStatuses, toWorkspace, WORKSPACE_STATUSES, Workspace } from "./workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";

/** Lists the workspaces of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listWorkspaces = operation({
  id: "listWorkspaces",
  summary: "List workspaces",
  access: "workspaces:read",
  input: z.strictObject({
    ...PageQuery.shape,
    status: z.enum(WORKSPACE_STATUSES).optional().describe("Only workspaces with this status"),
    ...ownerFilter("workspaces"),
  }),
  output: pageOf(Workspace),
  example: { input: { status: "running" as const }, output: examplePage(workspaceExample) },
  run: (ctx: ActorCtx & Pick<WorkspaceCtx, "currency" | "publicUrl">, input) => {
    const statuses = input.status && storedStatuses(input.status);
    return pageOfKind(ctx, { ...input, kind: "workspace", list: "workspaces", statuses }, async (pods) => {
      const rows = await ctx.db.workspace.findMany({ where: { id: { in: pods.map(({ id }) => id) } } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return pods.flatMap((pod) => {
        const row = byId.get(pod.id);
        return row ? [toWorkspace({ pod, row }, ctx)] : [];
      });
    });
  },
});
