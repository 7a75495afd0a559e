import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { originOf } from "../pod-records/stored-pod";
import { requestStop } from "../pods/request-stop";
import { findAndLockWorkspace, readWorkspace } from "./find-workspace";
import { toWorkspace, workspaceTarget } from "./workspace";
import { workspaceDeleted } from "./workspace.events";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";

const DELETED = { code: "deleted", message: "It was deleted." };

/** Ends a workspace at once and deletes it with its disk. Throws `not_found`. */
export const deleteWorkspace = operation({
  id: "deleteWorkspace",
  summary: "Delete a workspace",
  description: "Everything in it is killed, and its files are deleted. What it used stays metered.",
  access: "workspaces:write",
  input: z.strictObject(workspaceChoice),
  output: z.void(),
  example: { input: { id: workspaceExample.id }, output: undefined },
  run: async (ctx: ActorCtx & Pick<WorkspaceCtx, "currency" | "publicUrl">, { id }) => {
    await ctx.db.$transaction(async (tx) => {
      const { pod } = await findAndLockWorkspace({ db: tx, actor: ctx.actor }, id);
      await requestStop(tx, ctx, { pod, reason: DELETED });
      await tx.pod.update({ where: { id }, data: { deletedAt: ctx.clock.now() } });
      const deleted = toWorkspace(await readWorkspace(tx, id), ctx);
      await recordAudit(tx, ctx, {
        action: "workspace.deleted",
        targets: [workspaceTarget(pod)],
        events: [newEvent(workspaceDeleted, deleted, originOf(pod))],
      });
    });
  },
});
