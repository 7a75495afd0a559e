import type { Logger } from "pino";
import type { Counters } from "../../engines/counters/counters";
import { repeat } from "../../kernel/repeat";
import type { CloudCtx } from "../cloud-ctx";
import { lockPod } from "../pods/pods.sql";
import { requestStop } from "../pods/request-stop";
import { wakePods } from "../pods/wake-pods";
import { announceChange } from "./announce-change";
import { readWorkspace } from "./find-workspace";
import { changedWorkspaces, idleWorkspaces } from "./workspaces.sql";

type WorkspacesCtx = Pick<CloudCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

export interface StartWorkspaces extends WorkspacesCtx {
  counters: Pick<Counters, "publish">;
  log: Pick<Logger, "info" | "warn">;
}

const ROUND_MS = 1000;

/**
 * Stops workspaces that are not used, and announces starts and ends, in the background until `stop`; several processes
 * may do so at the same time.
 */
export function startWorkspaces({ log, counters, ...ctx }: StartWorkspaces): { stop(): Promise<void> } {
  return repeat({ everyMs: ROUND_MS, log, purpose: "look after workspaces" }, async () => {
    const idle = await idleWorkspaces(ctx.sql, ctx.clock.now());
    for (const id of idle) await stopIdle(ctx, id);
    if (idle.length > 0) await wakePods(counters);
    for (const id of await changedWorkspaces(ctx.sql)) await announce(ctx, id);
  });
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
