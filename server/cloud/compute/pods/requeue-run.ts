import type { PodRun, Prisma } from "../../../engines/postgres/generated/client";
import { addRun } from "../pod-records/add-run";
import { addToTimeline } from "../pod-records/pod-timeline";
import { runIdOf, type StoredPod } from "../pod-records/stored-pod";
import { releaseDevices } from "../pools/gpu-devices.sql";
import { keepForReturn } from "../pools/nominations.sql";

/**
 * Takes the capacity of a run whose process is not known to run, and lets its locked pod wait again with its next run,
 * which keeps the place in the order and the files to start with. The node removes what it has prepared for the run.
 */
export async function requeueRun(
  tx: Prisma.TransactionClient,
  { pod, run, reason, now }: { pod: StoredPod; run: PodRun; reason: { code: string; message: string }; now: Date },
): Promise<void> {
  const { id, origin, checkpointId, createdAt } = run;
  await tx.podRun.update({ where: { id }, data: { endedAt: now } });
  await releaseDevices(tx, id);
  const row = await addRun(tx, pod, { origin, checkpointId: checkpointId ?? undefined, now: createdAt });
  await keepForReturn(tx, { ...run, tenantId: pod.tenantId, runId: runIdOf(pod.id, row.runNumber) });
  const data = { reasonCode: reason.code, reasonText: reason.message };
  await tx.pod.update({ where: { id: pod.id }, data });
  await addToTimeline(tx, row, { type: "reclaimed", message: reason.message, at: now });
}
