import type { CloudCtx } from "../cloud-ctx";
import type { UsedRuntime } from "../nodes/machines";
import type { StoredPod } from "./pod";
import { unsealSecrets } from "./sealed-secrets";

/** The last run of a pod, and the runtime of its machine. */
export interface ReachedRun {
  run: StoredPod["runs"][number];
  runtime: UsedRuntime;
  /** The values of secrets that the workload received, which must not be shown. */
  secrets: readonly string[];
}

/** Returns undefined if the run has not been given to a machine. Throws `unavailable` (reason `machine_unreachable`). */
export async function reachRun(
  { podRuns, encryptionKey }: Pick<CloudCtx, "podRuns" | "encryptionKey">,
  { runs: [run] }: StoredPod,
): Promise<ReachedRun | undefined> {
  if (!run?.runnerId) return undefined;
  const runtime = await podRuns.runtime(run.runnerId);
  return { run, runtime, secrets: run.sealedSecrets ? unsealSecrets(encryptionKey, run.id, run.sealedSecrets) : [] };
}
