import { RuntimeError } from "../../engines/runtime/runtime";
import { ServiceError } from "../../kernel/errors";
import type { CloudCtx } from "../cloud-ctx";
import type { StoredPod } from "./pod";
import { type ReachedRun, reachRun } from "./reach-run";

/**
 * Returns the run of a pod in which programs can be started. Throws `conflict` (reason `not_running`), and `unavailable`
 * (reason `machine_unreachable`).
 */
export async function reachRunning(
  ctx: Pick<CloudCtx, "podRuns" | "encryptionKey">,
  pod: StoredPod,
): Promise<ReachedRun> {
  const isRunning = pod.status === "ready" || pod.status === "reclaiming";
  const reached = isRunning ? await reachRun(ctx, pod) : undefined;
  if (reached) return reached;
  throw notRunning();
}

/** Throws the error of a program that did not start: `conflict`, `unprocessable` (reason `start_failed`), or the cause. */
export function startFailure(cause: unknown): never {
  if (cause instanceof RuntimeError && cause.reason === "not_running") throw notRunning();
  if (cause instanceof RuntimeError && cause.reason === "start_failed") {
    throw new ServiceError("unprocessable", cause.message, { param: "command", details: { reason: "start_failed" } });
  }
  throw cause;
}

const notRunning = (): ServiceError =>
  new ServiceError("conflict", "The pod does not run; programs run only in pods that are ready.", {
    details: { reason: "not_running" },
  });
