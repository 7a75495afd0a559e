import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { assertQuota } from "../../identity/quotas/assert-quota";
import { ServiceError } from "../../kernel/errors";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import type { GpuModel, Region } from "../gpu-pools/fleet";
import { gpuQuota } from "../gpu-pools/gpu-quotas";
import { assertReservationRoom } from "../reserved-gpus/reservation-room";
import { findAndLockPod, findPod } from "./find-pod";
import { placeRun } from "./place-run";
import { Pod, podTarget, purchaseOf, runIdOf, type StoredPod, toPod } from "./pod";
import { endedPodExample } from "./pod.example";
import { podChoice } from "./pod-fields";
import { isActive, nextStatus } from "./pod-states";
import { addToTimeline } from "./pod-timeline";
import { requireRuntime } from "./require-runtime";
import { wakePods } from "./wake-pods";

/**
 * Starts a pod that has ended. Throws `not_found`, `conflict` (reasons `stopping`, `lifetime_ended`), `quota_exceeded`
 * for its GPUs, and `unavailable` as its creation does.
 */
export const startPod = operation({
  id: "startPod",
  summary: "Start a pod again",
  description:
    "Starts the image again, from the beginning: files and logs of the run before are deleted. A pod that is pending or ready stays as it is; one that is stopping, or older than 30 days, is a conflict.",
  access: "pods:write",
  cost: "normal",
  input: z.strictObject(podChoice),
  output: Pod,
  example: {
    input: { id: endedPodExample.id },
    output: { ...endedPodExample, status: "pending", exit: null, started_at: null, stopped_at: null, runs: 2 },
  },
  run: async (ctx: CloudCtx, { id }) => {
    const { db, actor, clock, currency } = ctx;
    const before = await findPod(ctx, id);
    if (isActive(before.status) && before.status !== "stopping") return toPod(before, { now: clock.now(), currency });
    await requireRuntime(ctx, before);
    const row = await db.$transaction(async (tx) => {
      if (before.gpu !== null && purchaseOf(before) === "on_demand") {
        const quota = gpuQuota(before.gpu as GpuModel, before.region as Region);
        await assertQuota(tx, { tenantId: actor.tenantId, adding: before.gpuCount }, quota);
      }
      const within = { ...ctx, db: tx };
      const pod = await findAndLockPod(within, id);
      if (pod.status === "pending" || pod.status === "ready") return pod;
      assertStartable(pod, clock.now());
      const { reservationId, gpuCount } = pod;
      if (reservationId !== null) await assertReservationRoom(tx, { id: reservationId, gpuCount, now: clock.now() });
      await begin(within, pod);
      await recordAudit(tx, ctx, { action: "pod.started", targets: [podTarget(pod)] });
      return findPod(within, id);
    });
    await wakePods(ctx.counters);
    return toPod(row, { now: clock.now(), currency });
  },
});

function assertStartable(pod: StoredPod, now: Date): void {
  if (pod.expiresAt <= now) {
    throw new ServiceError("conflict", "The pod is older than 30 days; create another one.", {
      details: { reason: "lifetime_ended" },
    });
  }
  if (nextStatus(pod.status, "start")) return;
  throw new ServiceError("conflict", "The pod is stopping; start it when it is stopped.", {
    details: { reason: "stopping" },
  });
}

async function begin({ db: tx, clock }: StartCtx, { id, runNumber }: StoredPod): Promise<void> {
  const now = clock.now();
  const number = runNumber + 1;
  const row = await tx.pod.update({
    where: { id },
    data: {
      ...{ status: "pending", runNumber: number, reasonCode: null, reasonText: null },
      ...{
        exitCode: null,
        exitSignal: null,
        oomKilled: false,
        startedAt: null,
        stoppedAt: null,
        stopRequestedAt: null,
      },
      runs: { create: { id: runIdOf(id, number), number, createdAt: now } },
    },
  });
  await addToTimeline(tx, row, { type: "started_again", message: `Run ${number} was requested.`, at: now });
  await placeRun(tx, row, now);
}

type StartCtx = Pick<CloudCtx, "clock"> & { db: Parameters<typeof placeRun>[0] };
