import { ServiceError } from "../../../kernel/errors";
import type { UsedRuntime } from "../nodes/nodes";
import type { StoredPod } from "../pod-records/stored-pod";
import type { PodsCtx } from "./pods-ctx";
import { unsealSecrets } from "./sealed-secrets";

/** The last run of a pod, and the runtime of its node. */
export interface ReachedRun {
  run: StoredPod["runs"][number];
  runtime: UsedRuntime;
  /** The values of secrets that the workload received, which must not be shown. */
  secrets: readonly string[];
}

type ReachCtx = Pick<PodsCtx, "podRuns" | "encryptionKey">;

/** Returns undefined if the run has not been given to a node. Throws `unavailable` (reason `node_unreachable`). */
export async function reachRun(
  { podRuns, encryptionKey }: ReachCtx,
  { runs: [run] }: StoredPod,
): Promise<ReachedRun | undefined> {
  if (!run?.nodeId) return undefined;
  const runtime = await podRuns.runtime(run.nodeId);
  return { run, runtime, secrets: run.sealedSecrets ? unsealSecrets(encryptionKey, run.id, run.sealedSecrets) : [] };
}

/** Throws `conflict` (reason `not_running`) unless the pod runs, and what `reachRun` throws. */
export async function reachRunning(ctx: ReachCtx, pod: StoredPod): Promise<ReachedRun> {
  const isRunning = pod.status === "ready" || pod.status === "reclaiming";
  const reached = isRunning ? await reachRun(ctx, pod) : undefined;
  if (reached) return reached;
  throw notRunning();
}

export const notRunning = (): ServiceError =>
  new ServiceError("conflict", "The pod does not run; this works only while it is ready.", {
    details: { reason: "not_running" },
  });
