import type { Json } from "../../../identity/stored-json";
import { decimalOf } from "../../../kernel/money";
import type { Observation, Observed } from "../../core/kinds/kind";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";
import type { InstanceParts } from "./instance-ctx";
import type { InstanceSpec } from "./instance-spec";

/** The pods of instances that are not deleted, by the id of the resource. */
export async function podsOf(
  { db }: Pick<InstanceParts, "db">,
  rids: readonly string[],
): Promise<ReadonlyMap<string, StoredPod>> {
  const rows = await db.pod.findMany({ where: { resourceId: { in: [...rids] }, deletedAt: null }, include: LAST_RUN });
  return new Map(rows.map((row) => [row.resourceId ?? "", row]));
}

/** Whether a run of the pod of an instance has not ended. */
export async function hasOpenRun({ db }: Pick<InstanceParts, "db">, resourceId: string): Promise<boolean> {
  const open = await db.podRun.findFirst({ where: { pod: { resourceId }, endedAt: null }, select: { id: true } });
  return open !== null;
}

/** What an instance looks like. Seconds of the run that goes on are not in it: they would change at each look. */
export function observationOf(spec: InstanceSpec, pod: StoredPod | undefined, currency: string): Observation {
  // One that is stopped before its first start has no pod.
  if (!pod) return spec.running ? { is: "absent" } : { is: "present", observed: { status: "stopped" } };
  const observed = observedOf(pod, currency);
  if (spec.running) {
    if (pod.status === "ready") return { is: "present", observed };
    if (pod.status === "stopping") return { is: "changing", observed };
    const isOnItsWay = pod.status === "pending" || pod.status === "reclaiming";
    if (isOnItsWay) return { is: "changing", observed };
    return { is: "faulty", observed, message: pod.reasonText ?? "The instance ended." };
  }
  const hasEnded = pod.status === "stopped" || pod.status === "completed" || pod.status === "failed";
  return { is: hasEnded ? "present" : "changing", observed };
}

const STATUS_OF = {
  pending: "pending",
  ready: "running",
  reclaiming: "reclaiming",
  stopping: "stopping",
  stopped: "stopped",
  completed: "stopped",
  failed: "failed",
} as const satisfies Record<StoredPod["status"], string>;

const observedOf = (pod: StoredPod, currency: string): Observed => ({
  pod_id: pod.id,
  status: STATUS_OF[pod.status],
  image: pod.image,
  gpu: pod.gpu,
  gpu_count: pod.gpuCount,
  region: pod.region,
  cpu: pod.cpu,
  memory_mb: pod.memoryMb,
  simulated_gpus: pod.gpu !== null && pod.mode === "test",
  runtime: pod.runtime as Json,
  waits_for: pod.status === "pending" ? pod.reasonText : null,
  starts: pod.runNumber,
  metered_seconds: pod.meteredSeconds,
  price_per_hour: decimalOf(pod.priceNanosPerHour),
  currency,
});
