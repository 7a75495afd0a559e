import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { lockPod } from "../pod-records/pod-locks.sql";
import { requestStop } from "../pods/request-stop";
import { announceChange } from "./announce-change";
import { readWorkspace } from "./find-workspace";
import type { WorkspaceCtx } from "./workspace-ctx";
import { changedWorkspaces, idleWorkspaces, NEXT_IDLE_WORKSPACE, PER_ROUND } from "./workspaces.sql";

type WorkspacesCtx = Pick<WorkspaceCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

export interface StartWorkspaces extends WorkspacesCtx {
  alarms: Pick<StartedAlarms, "add">;
}

/**
 * Stops workspaces that are not used, and announces starts and ends, in the background until `stop`; several processes
 * may do so at the same time.
 */
export function startWorkspaces({ alarms, ...ctx }: StartWorkspaces): RunningRound {
  const round = async () => {
    const idle = await idleWorkspaces(ctx.sql, ctx.clock.now());
    for (const id of idle) await stopIdle(ctx, id);
    const changed = await changedWorkspaces(ctx.sql);
    for (const id of changed) await announce(ctx, id);
    return changed.length === PER_ROUND;
  };
  const purpose = "stop idle workspaces";
  return alarms.add({ topic: "workspaces", purpose, nextDue: NEXT_IDLE_WORKSPACE, run: round });
}

async function stopIdle(ctx: WorkspacesCtx, id: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPod(tx, id);
    const workspace = await readWorkspace(tx, id);
    const { pod, row } = workspace;
    const since = Math.max(row.lastUsedAt.getTime(), pod.startedAt?.getTime() ?? 0);
    const idleMs = ctx.clock.now().getTime() - since;
    // It may have been used, or stopped, since it was found.
    if (pod.status !== "ready" || idleMs < row.idleTimeoutSeconds * 1000) return;
    await announceChange(tx, ctx, workspace);
    const message = `It was not used for ${row.idleTimeoutSeconds} seconds.`;
    await requestStop(tx, ctx, { pod, reason: { code: "idle", message } });
  });
}

async function announce(ctx: WorkspacesCtx, id: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPod(tx, id);
    await announceChange(tx, ctx, await readWorkspace(tx, id));
  });
}
