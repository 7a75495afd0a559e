import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { StoredPod } from "../pod-records/stored-pod";
import { podChoice } from "../pod-requests/pod-fields";
import { findAndLockPod, findPod } from "./find-pod";
import { Pod, podTarget, toPod } from "./pod";
import { endedPodExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";
import { requestStop } from "./request-stop";

const REASON = { code: "stop_requested", message: "It was stopped by a request." };

/** Stops a pod, or returns it as it is if it does not run. Throws `not_found`. */
export const stopPod = operation({
  id: "stopPod",
  summary: "Stop a pod",
  description:
    "Sends SIGTERM (or the stop signal of the image) to all processes of the pod, and SIGKILL to those that run after 30 seconds. The pod is `stopping` until they have ended. A pod that is stopping or has ended stays as it is.",
  access: "pods:write",
  input: z.strictObject(podChoice),
  output: Pod,
  example: {
    input: { id: endedPodExample.id },
    output: { ...endedPodExample, status: "stopping", exit: null, stopped_at: null, status_reason: REASON },
  },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">, { id }) => {
    const row = await ctx.db.$transaction(async (tx) => {
      const pod = await findAndLockPod({ db: tx, actor: ctx.actor }, id);
      return stop(tx, ctx, pod);
    });
    return toPod(row, ctx);
  },
});

async function stop(
  tx: Prisma.TransactionClient,
  ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">,
  pod: StoredPod,
): Promise<StoredPod> {
  if (!(await requestStop(tx, ctx, { pod, reason: REASON }))) return pod;
  await recordAudit(tx, ctx, { action: "pod.stop_requested", targets: [podTarget(pod)] });
  return findPod({ db: tx, actor: ctx.actor }, pod.id);
}
