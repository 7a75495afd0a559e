import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { requestStop } from "../pods/request-stop";
import { announceChange } from "./announce-change";
import { findAndLockWorkspace, readWorkspace } from "./find-workspace";
import { toWorkspace, Workspace, workspaceTarget } from "./workspace";
import { stoppedWorkspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";

const REASON = { code: "stop_requested", message: "It was stopped by a request." };

/** Stops a workspace; one that has ended stays as it is. Throws `not_found`. */
export const stopWorkspace = operation({
  id: "stopWorkspace",
  summary: "Stop a workspace",
  description:
    "Its programs are ended, and it costs nothing until it is started again. Its disk stays. It is `stopping`, and `stopped` a moment later.",
  access: "workspaces:write",
  input: z.strictObject(workspaceChoice),
  output: Workspace,
  example: {
    input: { id: stoppedWorkspaceExample.id },
    output: { ...stoppedWorkspaceExample, status: "stopping", status_reason: REASON, stopped_at: null },
  },
  run: async (ctx: ActorCtx & Pick<WorkspaceCtx, "currency" | "publicUrl">, { id }) => {
    const stopped = await ctx.db.$transaction(async (tx) => {
      const workspace = await findAndLockWorkspace({ db: tx, actor: ctx.actor }, id);
      const { pod } = workspace;
      await announceChange(tx, ctx, workspace);
      if (await requestStop(tx, ctx, { pod, reason: REASON }))
        await recordAudit(tx, ctx, { action: "workspace.stop_requested", targets: [workspaceTarget(pod)] });
      return toWorkspace(await readWorkspace(tx, id), ctx);
    });
    return stopped;
  },
});
