import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { IdText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import type { GpuModel } from "../../core/prices/gpu-models";
import { nodeOfVolumes } from "../../data/volumes/attach-volumes";
import type { PodMount } from "../../data/volumes/pod-mounts";
import { type PlaceCtx, placeRun } from "../placement/place-run";
import { requireRuntime } from "../placement/require-runtime";
import { addRun } from "../pod-records/add-run";
import { neededByMember } from "../pod-records/gang";
import { isActive, nextStatus } from "../pod-records/pod-states";
import { addToTimeline } from "../pod-records/pod-timeline";
import { purchaseOf, type StoredPod } from "../pod-records/stored-pod";
import { podChoice } from "../pod-requests/pod-fields";
import { gpuQuota } from "../pools/gpu-quotas";
import type { Region } from "../pools/regions";
import { assertReservationRoom } from "../reserved-gpus/reservation-room";
import { findCheckpoint } from "./find-checkpoint";
import { findAndLockPod, findPod } from "./find-pod";
import { Pod, podTarget, toPod } from "./pod";
import { endedPodExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";

/**
 * Starts a pod that has ended. Throws `not_found`, `conflict` (reasons `stopping`, `lifetime_ended`,
 * `no_checkpoint`, `not_saved`, `volume_not_ready`, `volume_suspended`), `quota_exceeded`
 * for its GPUs, and `unavailable` as its creation does.
 */
export const startPod = operation({
  id: "startPod",
  summary: "Start a pod again",
  description:
    "Starts the program again, as `docker start` does: the pod keeps its files. They are those of the run before if the node that starts it has them, else those of its newest saved checkpoint; without either it starts with the files of the image, and its timeline says so. With `from: image` it starts with those of the image in any case. Its volume stays, unless `from: checkpoint` replaces it with that of the checkpoint. Memory and processes are not restored, and the output of the run before is deleted. A pod that is pending, ready or reclaiming stays as it is; one that is stopping, or older than 30 days, is a conflict.",
  access: "pods:write",
  stores: true,
  input: z.strictObject({
    ...podChoice,
    from: z
      .enum(["files", "image", "checkpoint"])
      .default("files")
      .describe("The files with which it starts: those of the run before, of the image only, or of a checkpoint"),
    checkpoint_id: IdText.optional().describe("With `from: checkpoint`: which one; default: the newest saved one"),
  }),
  output: Pod,
  example: {
    input: { id: endedPodExample.id },
    output: { ...endedPodExample, status: "pending", exit: null, started_at: null, stopped_at: null, runs: 2 },
  },
  run: async (ctx: PodsCtx, { id, ...choice }) => {
    const { db, clock } = ctx;
    if (choice.checkpoint_id !== undefined && choice.from !== "checkpoint") throw checkpointWithout();
    const before = await findPod(ctx, id);
    if (isActive(before.status) && before.status !== "stopping") return toPod(before, ctx);
    await requireRuntime(ctx, before);
    const row = await db.$transaction(async (tx) => {
      await assertGpuQuota(tx, before);
      const within = { ...ctx, db: tx };
      const pod = await findAndLockPod(within, id);
      if (isActive(pod.status) && pod.status !== "stopping") return pod;
      assertStartable(pod, clock.now());
      if (pod.reservationId !== null) {
        const { gpus: gpuCount } = await neededByMember(tx, pod);
        await assertReservationRoom(tx, { id: pod.reservationId, gpuCount, now: clock.now() });
      }
      await begin(within, pod, choice);
      await recordAudit(tx, ctx, { action: "pod.started", targets: [podTarget(pod)], details: detailsOf(choice) });
      return findPod(within, id);
    });
    return toPod(row, ctx);
  },
});

/** Throws `quota_exceeded`. Creations of the tenant wait for each other from then on, if it has on-demand GPUs. */
async function assertGpuQuota(tx: StartCtx["db"], pod: StoredPod): Promise<void> {
  const { tenantId, gpu, region } = pod;
  if (gpu === null || purchaseOf(pod) !== "on_demand") return;
  const quota = gpuQuota(gpu as GpuModel, region as Region);
  await assertQuota(tx, { tenantId, adding: 0 }, quota);
  await assertQuota(tx, { tenantId, adding: (await neededByMember(tx, pod)).gpus }, quota);
}

const checkpointWithout = (): ServiceError =>
  new ServiceError("invalid_request", 'checkpoint_id: it needs "from": "checkpoint".', { param: "checkpoint_id" });

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

const ORIGINS = {
  files: "with the files of the run before",
  image: "with the files of the image only",
  checkpoint: "with the files of a checkpoint",
} as const;

interface Choice {
  from: keyof typeof ORIGINS;
  checkpoint_id?: string | undefined;
}

const detailsOf = ({ from, checkpoint_id: id }: Choice) => (id === undefined ? { from } : { from, checkpoint_id: id });

async function begin(ctx: StartCtx, pod: StoredPod, { from, checkpoint_id: chosen }: Choice): Promise<void> {
  const { db: tx, clock } = ctx;
  const now = clock.now();
  await nodeOfVolumes(tx, { owner: pod, network: pod, mounts: pod.mounts as unknown as PodMount[], holds: true });
  const checkpointId = from === "checkpoint" ? (await findSaved(tx, pod, chosen)).id : undefined;
  await tx.pod.update({ where: { id: pod.id }, data: { status: "pending", reasonCode: null, reasonText: null } });
  const row = await addRun(tx, pod, { origin: from, checkpointId, now });
  const message = `Run ${row.runNumber} was requested, ${ORIGINS[from]}.`;
  await addToTimeline(tx, row, { type: "started_again", message, at: now });
  await placeRun(ctx, row, now);
}

/** The checkpoint to start with, by default the newest one. Throws `not_found` and `conflict`. */
async function findSaved(
  tx: StartCtx["db"],
  { id: podId }: StoredPod,
  checkpointId: string | undefined,
): Promise<{ id: string }> {
  if (checkpointId !== undefined) {
    const row = await findCheckpoint(tx, { podId, id: checkpointId });
    if (row.state === "saved") return row;
    throw new ServiceError("conflict", `The checkpoint is ${row.state}; only one that is saved can be started from.`, {
      param: "checkpoint_id",
      details: { reason: "not_saved" },
    });
  }
  const where = { podId, state: "saved" as const };
  const newest = await tx.podCheckpoint.findFirst({ where, orderBy: { id: "desc" }, select: { id: true } });
  if (newest) return newest;
  throw new ServiceError("conflict", "The pod has no saved checkpoint.", {
    param: "from",
    details: { reason: "no_checkpoint" },
  });
}

type StartCtx = Pick<PodsCtx, "clock"> & PlaceCtx;
