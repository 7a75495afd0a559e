import type { PodRun, Prisma } from "../../engines/postgres/generated/client";
import { releaseDevices } from "../gpu-pools/gpu-devices.sql";
import { runIdOf, type StoredPod } from "./pod";
import { addToTimeline } from "./pod-timeline";

/**
 * Takes the capacity of a run whose process is not known to run, and lets its locked pod wait again with its next run,
 * which keeps the place in the order. The machine removes what it has prepared for the run.
 */
export async function requeueRun(
  tx: Prisma.TransactionClient,
  { pod, run, reason, now }: { pod: StoredPod; run: PodRun; reason: { code: string; message: string }; now: Date },
): Promise<void> {
  await tx.podRun.update({ where: { id: run.id }, data: { endedAt: now } });
  await releaseDevices(tx, run.id);
  const number = pod.runNumber + 1;
  const row = await tx.pod.update({
    where: { id: pod.id },
    data: {
      ...{ runNumber: number, reasonCode: reason.code, reasonText: reason.message },
      runs: { create: { id: runIdOf(pod.id, number), number, createdAt: run.createdAt } },
    },
  });
  await addToTimeline(tx, row, { type: "reclaimed", message: reason.message, at: now });
}
