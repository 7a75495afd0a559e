import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { listScope } from "../../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { Checkpoint, toCheckpoint, WITHOUT_CHUNKS } from "../checkpoints/checkpoint";
import { checkpointExample } from "../checkpoints/checkpoint.example";
import { podChoice } from "../pod-requests/pod-fields";
import { findPod } from "./find-pod";

/** Lists the checkpoints of a pod, newest first. Throws `not_found`. */
export const listPodCheckpoints = operation({
  id: "listPodCheckpoints",
  summary: "List the checkpoints of a pod",
  access: "pods:read",
  input: z.strictObject({ ...podChoice, ...PageQuery.shape }),
  output: pageOf(Checkpoint),
  example: { input: { id: checkpointExample.pod_id }, output: examplePage(checkpointExample) },
  run: async (ctx: ActorCtx, input) => {
    const { id: podId } = await findPod(ctx, input.id);
    return fetchPage(listScope(ctx, "pod_checkpoints", { podId }), input, async ({ after, take }) => {
      const where = { podId, ...(after !== undefined && { id: { lt: after } }) };
      const rows = await ctx.db.podCheckpoint.findMany({ where, orderBy: { id: "desc" }, take, ...WITHOUT_CHUNKS });
      return rows.map(toCheckpoint);
    });
  },
});
