import { ServiceError } from "../../kernel/errors";
import type { CloudCtx } from "../cloud-ctx";
import type { StoredPod } from "./pod";
import type { PodRuns } from "./pod-runs";
import { unsealSecrets } from "./sealed-secrets";

/** The last run of a pod on the machine of this process. */
export interface LocalRun {
  run: StoredPod["runs"][number];
  runtime: NonNullable<ReturnType<PodRuns["runtime"]>>;
  /** The values of secrets that the workload received, which must not be shown. */
  secrets: readonly string[];
}

/** Returns undefined if the run has not been given to a machine. Throws `unavailable` where another process runs it. */
export function localRun(
  { podRuns, encryptionKey }: Pick<CloudCtx, "podRuns" | "encryptionKey">,
  { runs: [run] }: StoredPod,
): LocalRun | undefined {
  if (!run?.runnerId) return undefined;
  const runtime = podRuns.runtime(run.runnerId);
  if (!runtime) throw elsewhere();
  return { run, runtime, secrets: run.sealedSecrets ? unsealSecrets(encryptionKey, run.id, run.sealedSecrets) : [] };
}

const elsewhere = (): ServiceError =>
  new ServiceError("unavailable", "Another process of svc runs this pod, and this one cannot reach it.", {
    details: { reason: "runs_elsewhere" },
  });
