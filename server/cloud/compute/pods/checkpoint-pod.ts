import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { VOLUME_QUOTAS } from "../../data/volumes/volumes.quotas";
import { CHECKPOINTS_KEPT, Checkpoint, toCheckpoint } from "../checkpoints/checkpoint";
import { checkpointExample } from "../checkpoints/checkpoint.example";
import { addCheckpoint } from "../checkpoints/checkpoint-rows";
import { isActive } from "../pod-records/pod-states";
import type { StoredPod } from "../pod-records/stored-pod";
import { podChoice } from "../pod-requests/pod-fields";
import { findAndLockPod } from "./find-pod";
import { podTarget } from "./pod";
import type { PodsCtx } from "./pods-ctx";

/**
 * Begins to save the files of a pod. Throws `not_found`, `conflict` (reasons `no_files`, `changing`, `saving`) and
 * `quota_exceeded`.
 */
export const checkpointPod = operation({
  id: "checkpointPod",
  summary: "Save the files of a pod to object storage",
  description: `Saves the files that the pod has changed in its image, and its volume: of a pod that is ready as they are now, of one that has ended as it left them. Only what object storage does not have of the pod yet is uploaded. It contains files only, neither memory nor processes nor the state of GPUs; a file that a program changes meanwhile may be torn, so let it write its state to a new file and rename that. The checkpoint is \`saving\` until everything is stored, and then \`saved\`. The newest ${CHECKPOINTS_KEPT} of a pod are kept. A pod that is pending, reclaiming or stopping, or of which a checkpoint is being saved, is a conflict.`,
  access: "pods:write",
  stores: true,
  idempotent: true,
  result: "accepted",
  input: z.strictObject(podChoice),
  output: Checkpoint,
  example: {
    input: { id: checkpointExample.pod_id },
    output: { ...checkpointExample, state: "saving", size_bytes: null, new_bytes: 0, saved_at: null },
  },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "storedBytes">, { id: podId }) => {
    const { db, actor, clock } = ctx;
    await ctx.storedBytes.assertRoom(actor.tenantId);
    const row = await db.$transaction(async (tx) => {
      await assertQuota(tx, { tenantId: actor.tenantId }, VOLUME_QUOTAS.checkpoint_bytes);
      const pod = await findAndLockPod({ db: tx, actor }, podId);
      assertNotChanging(pod);
      const run = await tx.podRun.findFirst({
        where: { podId, startedAt: { not: null } },
        orderBy: { number: "desc" },
      });
      if (!run || run.removedAt) throw conflict("no_files", "The pod has no files: no node has those of its last run.");
      if ((await tx.podCheckpoint.count({ where: { podId, state: "saving" } })) > 0) {
        throw conflict("saving", "A checkpoint of this pod is being saved; wait until it is saved.");
      }
      const created = await addCheckpoint(tx, { podId, run: run.number, cause: "request", now: clock.now() });
      await recordAudit(tx, ctx, {
        action: "pod.checkpoint_requested",
        targets: [podTarget(pod)],
        details: { checkpoint_id: created.id },
      });
      return created;
    });
    return toCheckpoint(row);
  },
});

function assertNotChanging({ status }: StoredPod): void {
  if (status === "ready" || !isActive(status)) return;
  const saved = status === "reclaiming" ? " A checkpoint is saved when its run has ended." : "";
  throw conflict("changing", `The pod is ${status}; it can be saved while it is ready or has ended.${saved}`);
}

const conflict = (reason: string, message: string): ServiceError =>
  new ServiceError("conflict", message, { details: { reason } });
