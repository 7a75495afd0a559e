import { ServiceError } from "../../../kernel/errors";
import type { StoredPod } from "../pod-records/stored-pod";
import { assertMayEnter } from "../pods/assert-may-enter";
import { type ReachedRun, reachRun } from "../pods/reach-run";
import type { InsideCtx } from "./inside-ctx";
import { START_WAIT_MS, untilStarted } from "./until-started";

/** A sandbox or a workspace that runs. */
export interface ReachedInside extends ReachedRun {
  pod: StoredPod;
  /** Aborted when the client has disconnected or svc stops. */
  signal: AbortSignal;
}

interface Reach {
  id: string;
  disconnected: AbortSignal | undefined;
  /** Why it cannot be used and what to do, if it does not start any more. */
  ended: string;
}

/**
 * What runs a sandbox or a workspace, once it has started. The caller may see it. Throws `forbidden` for one with
 * secrets without `secrets:reveal`, `conflict` (reason `not_running`) and `unavailable` (reason `node_unreachable`).
 */
export async function reachStarted(ctx: InsideCtx, { id, disconnected, ended }: Reach): Promise<ReachedInside> {
  const { env } = await ctx.db.pod.findUniqueOrThrow({ where: { id }, select: { env: true } });
  assertMayEnter(ctx.actor, { env });
  const signal = AbortSignal.any([ctx.stopping, ...(disconnected ? [disconnected] : [])]);
  const pod = await untilStarted(ctx, id, { signal, ms: START_WAIT_MS });
  const isRunning = pod.status === "ready" || pod.status === "reclaiming";
  const reached = isRunning ? await reachRun(ctx, pod) : undefined;
  if (reached) return { ...reached, pod, signal };
  const message = pod.status === "pending" ? "It still starts; try again." : ended;
  throw new ServiceError("conflict", message, { details: { reason: "not_running" } });
}
