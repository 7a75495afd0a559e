import type { ActorCtx } from "../../../identity/identity-ctx";
import { type ReachedInside, reachStarted } from "../inside/reach-started";
import { findWorkspace } from "./find-workspace";
import type { WorkspaceCtx } from "./workspace-ctx";
import { recordUsed } from "./workspaces.sql";

const STOPPED = "The workspace does not run; start it first.";
/** How often an open connection counts as use. */
const NOTE_MS = 20_000;

/**
 * A workspace that runs, once it has started; that counts as use of it. Throws `not_found`, `conflict` (reason
 * `not_running`) and `unavailable` (reason `node_unreachable`).
 */
export async function reachWorkspace(
  ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">,
  id: string,
  disconnected?: AbortSignal,
): Promise<ReachedInside> {
  await findWorkspace(ctx, id);
  await recordUsed(ctx.sql, id, ctx.clock.now());
  return reachStarted(ctx, { id, disconnected, ended: STOPPED });
}

/** Counts a connection as use of a workspace until the returned function is called. */
export function recordUseWhileOpen({ sql, clock }: Pick<WorkspaceCtx, "sql" | "clock">, id: string): () => void {
  const note = () => void recordUsed(sql, id, clock.now()).catch(() => undefined);
  const noting = setInterval(note, NOTE_MS).unref();
  return () => {
    clearInterval(noting);
    note();
  };
}

/** Runs `use` with a workspace that runs, and counts the request while it does. Throws `rate_limited` as well. */
export async function useWorkspace<T>(
  ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">,
  { id, disconnected }: { id: string; disconnected?: AbortSignal | undefined },
  use: (reached: ReachedInside) => Promise<T>,
): Promise<T> {
  const reached = await reachWorkspace(ctx, id, disconnected);
  const release = ctx.podRuns.follow(ctx.actor.tenantId);
  try {
    return await use(reached);
  } finally {
    release();
  }
}
