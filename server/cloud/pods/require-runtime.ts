import { ServiceError } from "../../kernel/errors";
import type { Mode } from "../../operation/actor";
import type { CloudCtx } from "../cloud-ctx";
import { freshRunners } from "./pods.sql";

/**
 * Throws `unavailable` if pods cannot run: with the reason `no_capacity` for GPUs in live mode, because this
 * installation has none, and with `no_runtime` if no machine can run workloads.
 */
export async function requireRuntime(
  { sql, podRuns }: Pick<CloudCtx, "sql" | "podRuns">,
  { mode, gpu }: { mode: Mode; gpu: string | null | undefined },
): Promise<void> {
  if (mode === "live" && gpu) throw noCapacity();
  if ((await freshRunners(sql)).some(({ kind }) => kind !== null)) return;
  // A process that has just started may still be trying its runtimes.
  await podRuns.whenTried();
  const runners = await freshRunners(sql);
  if (runners.some(({ kind }) => kind !== null)) return;
  const reasons = runners.flatMap(({ reason }) => reason ?? []);
  throw new ServiceError("unavailable", reasons[0] ?? podRuns.offReason ?? NO_WORKER, {
    details: { reason: "no_runtime", reasons: [...new Set(reasons)] },
  });
}

const NO_WORKER = "No process of svc that runs workloads (ROLE=worker) is running at present.";

const noCapacity = (): ServiceError =>
  new ServiceError(
    "unavailable",
    "This installation has no GPUs. In test mode GPUs are simulated; pods without GPUs run in both modes.",
    { param: "gpu", details: { reason: "no_capacity" } },
  );
