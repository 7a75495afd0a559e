import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { findWorkspace } from "./find-workspace";
import { lookForEditor } from "./look-for-editor";
import { reachWorkspace } from "./reach-workspace";
import { editorOf, workspaceTarget } from "./workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";

/** Returns where the editor of a workspace is. Throws `not_found` and `conflict` (reason `not_running`). */
export const openWorkspace = operation({
  id: "openWorkspace",
  summary: "Open the editor of a workspace",
  access: "workspaces:write",
  input: z.strictObject(workspaceChoice),
  output: z.object({
    origin: z.string().nullable().describe("Of code-server; null: the editor is that of the dashboard"),
  }),
  example: { input: { id: workspaceExample.id }, output: { origin: null } },
  run: async (
    ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping" | "workspaceHosts">,
    { id },
    options,
  ) => {
    const { pod } = await reachWorkspace(ctx, id, options?.signal);
    const workspace = await lookForEditor(ctx, await findWorkspace(ctx, id));
    if (editorOf(workspace) !== "code-server" || !ctx.workspaceHosts) return { origin: null };
    const opened = { action: "workspace.opened", targets: [workspaceTarget(pod)] };
    await ctx.db.$transaction((tx) => recordAudit(tx, ctx, opened));
    return { origin: ctx.workspaceHosts.originOf(id) };
  },
});
