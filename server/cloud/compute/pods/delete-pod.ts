import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { dropCheckpoints } from "../checkpoints/checkpoint-rows";
import { LAST_RUN, originOf } from "../pod-records/stored-pod";
import { podChoice } from "../pod-requests/pod-fields";
import { findAndLockPod } from "./find-pod";
import { podTarget, toPod } from "./pod";
import { podDeleted } from "./pod.events";
import { podExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";
import { endRun } from "./record-run";

/** Ends a pod at once and deletes it with its files, volume and logs. Throws `not_found`. */
export const deletePod = operation({
  id: "deletePod",
  summary: "Delete a pod",
  description:
    "Its processes are killed (stop it first to let them end by themselves), its files, volume, logs and checkpoints are deleted. What it used stays metered. GPUs count against quotas until its processes have ended.",
  access: "pods:write",
  input: z.strictObject(podChoice),
  output: z.void(),
  example: { input: { id: podExample.id }, output: undefined },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">, { id }) => {
    await ctx.db.$transaction(async (tx) => {
      const pod = await findAndLockPod({ db: tx, actor: ctx.actor }, id);
      const now = ctx.clock.now();
      const row = await tx.pod.update({ where: { id }, data: { deletedAt: now, env: {} }, include: LAST_RUN });
      const [run] = row.runs;
      if (run && !run.endedAt && run.nodeId === null) {
        await endRun(tx, ctx, { run, pod: row, end: { endedAt: now, outcome: "fail" } });
      }
      await dropCheckpoints(tx, id, now);
      await tx.podTimelineEntry.deleteMany({ where: { podId: id } });
      const event = newEvent(podDeleted, toPod(pod, ctx), originOf(pod));
      await recordAudit(tx, ctx, { action: "pod.deleted", targets: [podTarget(pod)], events: [event] });
    });
  },
});
