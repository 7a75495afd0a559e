import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { placeRun } from "../placement/place-run";
import { requireRuntime } from "../placement/require-runtime";
import { addRun } from "../pod-records/add-run";
import { announceChange } from "./announce-change";
import { findAndLockWorkspace, findWorkspace } from "./find-workspace";
import { runUntil, untilWorks } from "./until-works";
import { type StoredWorkspace, Workspace, workspaceTarget } from "./workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";
import { workspaceProgram } from "./workspace-program";

/**
 * Starts a workspace that has ended, and returns when it runs, or after a minute. Throws `not_found`, `conflict` (reason
 * `stopping`), and `unavailable` as its creation does.
 */
export const startWorkspace = operation({
  id: "startWorkspace",
  summary: "Start a workspace",
  description:
    "It keeps its disk at `/workspace`, and also the files outside of it if the node that starts it still has them. One that starts or runs stays as it is.",
  access: "workspaces:write",
  takesLong: true,
  stores: true,
  input: z.strictObject(workspaceChoice),
  output: Workspace,
  example: { input: { id: workspaceExample.id }, output: workspaceExample },
  run: async (ctx: WorkspaceCtx, { id }, options) => {
    const { pod: before } = await findWorkspace(ctx, id);
    if (before.status !== "pending" && before.status !== "ready") {
      await requireRuntime(ctx, before);
      await ctx.db.$transaction((tx) => begin({ ...ctx, db: tx }, id));
    }
    return untilWorks(ctx, id, options?.signal);
  },
});

type BeginCtx = Omit<WorkspaceCtx, "db"> & { db: Parameters<typeof addRun>[0] };

async function begin(ctx: BeginCtx, id: string): Promise<void> {
  const { db: tx, clock } = ctx;
  const workspace = await findAndLockWorkspace(ctx, id);
  if (!canStart(workspace)) return;
  await announceChange(tx, ctx, workspace);
  const now = clock.now();
  const { pod } = workspace;
  const command = workspaceProgram({ hasEditor: ctx.workspaceHosts !== undefined });
  const wanted = { status: "pending", reasonCode: null, reasonText: null, expiresAt: runUntil(now), command } as const;
  await tx.pod.update({ where: { id }, data: wanted });
  await tx.workspace.update({ where: { id }, data: { lastUsedAt: now } });
  await placeRun(ctx, await addRun(tx, pod, { origin: "files", now }), now);
  await recordAudit(tx, ctx, { action: "workspace.started", targets: [workspaceTarget(pod)] });
}

/** Whether it has ended; false: it starts or runs. Throws `conflict`. */
function canStart({ pod: { status } }: StoredWorkspace): boolean {
  if (status !== "stopping") return status === "stopped" || status === "completed" || status === "failed";
  throw new ServiceError("conflict", "The workspace is stopping; start it when it is stopped.", {
    details: { reason: "stopping" },
  });
}
