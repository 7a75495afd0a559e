import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { Checkpoint, toCheckpoint } from "../checkpoints/checkpoint";
import { checkpointExample } from "../checkpoints/checkpoint.example";
import { checkpointChoice } from "../pod-requests/pod-fields";
import { findCheckpoint } from "./find-checkpoint";
import { findPod } from "./find-pod";

/** Returns a checkpoint of a pod. Throws `not_found`. */
export const getPodCheckpoint = operation({
  id: "getPodCheckpoint",
  summary: "Get a checkpoint of a pod",
  access: "pods:read",
  input: z.strictObject(checkpointChoice),
  output: Checkpoint,
  example: {
    input: { id: checkpointExample.pod_id, checkpoint_id: checkpointExample.id },
    output: checkpointExample,
  },
  run: async (ctx: ActorCtx, { id: podId, checkpoint_id: id }) => {
    await findPod(ctx, podId);
    return toCheckpoint(await findCheckpoint(ctx.db, { podId, id }));
  },
});
