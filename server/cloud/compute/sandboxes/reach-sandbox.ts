import type { ActorCtx } from "../../../identity/identity-ctx";
import { type ReachedInside, reachStarted } from "../inside/reach-started";
import type { PodsCtx } from "../pods/pods-ctx";
import { findSandbox } from "./find-sandbox";

/**
 * A sandbox that runs, once it has started. Throws `not_found`, `conflict` (reason `not_running`) and `unavailable`
 * (reason `node_unreachable`).
 */
export async function reachSandbox(
  ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns" | "stopping">,
  id: string,
  disconnected?: AbortSignal,
): Promise<ReachedInside> {
  await findSandbox(ctx, id);
  return reachStarted(ctx, { id, disconnected, ended: "The sandbox has ended; create another one." });
}
