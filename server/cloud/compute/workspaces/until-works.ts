import type { ActorCtx } from "../../../identity/identity-ctx";
import { START_WAIT_MS, untilStarted } from "../inside/until-started";
import { readWorkspace } from "./find-workspace";
import { lookForEditor } from "./look-for-editor";
import { toWorkspace, type Workspace } from "./workspace";
import type { WorkspaceCtx } from "./workspace-ctx";

/** How long a workspace runs at most from one start. */
const RUN_MS_MAX = 30 * 24 * 3600 * 1000;

export const runUntil = (now: Date): Date => new Date(now.getTime() + RUN_MS_MAX);

/** Waits at most a minute until a workspace runs and its editor is known. */
export async function untilWorks(
  ctx: ActorCtx &
    Pick<WorkspaceCtx, "currency" | "encryptionKey" | "podRuns" | "publicUrl" | "stopping" | "workspaceHosts">,
  id: string,
  disconnected?: AbortSignal,
): Promise<Workspace> {
  const signal = AbortSignal.any([ctx.stopping, ...(disconnected ? [disconnected] : [])]);
  await untilStarted(ctx, id, { signal, ms: START_WAIT_MS });
  return toWorkspace(await lookForEditor(ctx, await readWorkspace(ctx.db, id)), ctx);
}
