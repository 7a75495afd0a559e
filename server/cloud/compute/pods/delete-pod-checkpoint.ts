import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { checkpointExample } from "../checkpoints/checkpoint.example";
import { dropCheckpoint } from "../checkpoints/checkpoint-rows";
import { checkpointChoice } from "../pod-requests/pod-fields";
import { findCheckpoint } from "./find-checkpoint";
import { findAndLockPod } from "./find-pod";
import { podTarget } from "./pod";

/** Deletes a checkpoint of a pod. Throws `not_found` and `conflict` (reasons `saving`, `in_use`). */
export const deletePodCheckpoint = operation({
  id: "deletePodCheckpoint",
  summary: "Delete a checkpoint of a pod",
  description:
    "What no other checkpoint of the pod has is removed from object storage within minutes. One that is being saved, or that a run of the pod is about to start with, is a conflict.",
  access: "pods:write",
  input: z.strictObject(checkpointChoice),
  output: z.void(),
  example: { input: { id: checkpointExample.pod_id, checkpoint_id: checkpointExample.id }, output: undefined },
  run: async (ctx: ActorCtx, { id: podId, checkpoint_id: id }) => {
    await ctx.db.$transaction(async (tx) => {
      const pod = await findAndLockPod({ db: tx, actor: ctx.actor }, podId);
      const row = await findCheckpoint(tx, { podId, id });
      if (row.state === "saving")
        throw conflict("saving", "The checkpoint is being saved; delete it when it is saved.");
      const starting = { podId, checkpointId: id, startedAt: null, endedAt: null };
      if ((await tx.podRun.count({ where: starting })) > 0) {
        throw conflict("in_use", "A run is about to start with the checkpoint; delete it when the pod is ready.");
      }
      await dropCheckpoint(tx, row, ctx.clock.now());
      await recordAudit(tx, ctx, {
        action: "pod.checkpoint_deleted",
        targets: [podTarget(pod)],
        details: { checkpoint_id: id },
      });
    });
  },
});

const conflict = (reason: string, message: string): ServiceError =>
  new ServiceError("conflict", message, { details: { reason } });
