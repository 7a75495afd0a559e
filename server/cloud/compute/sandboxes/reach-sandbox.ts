import { type ReachedInside, reachStarted } from "../inside/reach-started";
import { findSandbox } from "./find-sandbox";
import type { SandboxCtx } from "./sandbox-ctx";

/**
 * A sandbox that runs, once it has started. Throws `not_found`, `conflict` (reason `not_running`) and `unavailable`
 * (reason `machine_unreachable`).
 */
export async function reachSandbox(ctx: SandboxCtx, id: string, disconnected?: AbortSignal): Promise<ReachedInside> {
  await findSandbox(ctx, id);
  return reachStarted(ctx, { id, disconnected, ended: "The sandbox has ended; create another one." });
}
