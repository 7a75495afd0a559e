import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { isWaiting } from "../pod-records/gang";
import { POD_STATUSES } from "../pod-records/pod-states";
import type { StoredPod } from "../pod-records/stored-pod";
import { podChoice } from "../pod-requests/pod-fields";
import { BlockedBy, ExpectedWaitOut, NearestShapes, waitForecastOf } from "../waits/wait-forecast";
import { findPod } from "./find-pod";
import { inSnapshot } from "./snapshot-capacity";

const PodExplanation = z
  .object({
    pod_id: z.string(),
    status: z.enum(POD_STATUSES),
    blocked_by: BlockedBy.describe("What keeps the pod from capacity; null if it does not wait for capacity"),
    nearest_shapes: NearestShapes.describe(
      "At most 5. A pod of such a shape, bought as this one is, would be placed now, beside this one, if the quota of pods allows one more. None for a pod of a gang",
    ),
    expected_wait: ExpectedWaitOut.describe(
      "Of a gang, until all its pods fit together. null: no end is known and the last 7 days, which say nothing about gangs, have fewer than 3 samples, or the gang is incomplete",
    ),
    queue_position: z
      .int()
      .nullable()
      .describe(
        "From 1, among the pods of all tenants that wait for the same pool; a pod that fits is placed earlier. null: it does not wait, or more than 200 others are before it",
      ),
    checked_at: z.iso.datetime(),
  })
  .meta({ id: "PodExplanation" });
type PodExplanation = z.infer<typeof PodExplanation>;

/** Explains why a pod waits, without reserving or changing anything. Throws `not_found`. */
export const explainPod = operation({
  id: "explainPod",
  summary: "Explain why a pod waits, for how long, and what would fit now",
  description:
    "For a pod that waits for capacity. All is read at one time and nothing is reserved, so what fits now can be taken by others a moment later.",
  access: "pods:read",
  input: z.strictObject(podChoice),
  output: PodExplanation,
  example: {
    input: { id: exampleId("pod") },
    output: {
      pod_id: exampleId("pod"),
      status: "pending" as const,
      blocked_by: { code: "no_gpus", message: "All GPUs of the 8 nodes of this pool are in use." },
      nearest_shapes: [
        {
          gpu: "h100" as const,
          gpu_count: 2,
          region: "euw" as const,
          cpu: 8,
          memory_mb: 4096,
          note: "The same in euw instead of use",
        },
      ],
      expected_wait: { seconds: 30, basis: "Pods that are ending free enough for it by then.", samples: 0 },
      queue_position: 1,
      checked_at: EXAMPLE_TIME,
    },
  },
  run: async (ctx: ActorCtx, { id }): Promise<PodExplanation> =>
    inSnapshot(ctx.db, async (tx) => {
      const pod = await findPod({ db: tx, actor: ctx.actor }, id);
      const now = ctx.clock.now();
      const [run] = pod.runs;
      const waited = run && isWaiting(pod) ? await waitForecastOf(tx, { pod, run, missing: 0, now }) : NOT_WAITING;
      const blocked_by = isWaiting(pod) ? blockedBy(pod) : null;
      return { pod_id: id, status: pod.status, blocked_by, ...waited, checked_at: now.toISOString() };
    }),
});

const NOT_WAITING = { nearest_shapes: [], expected_wait: null, queue_position: null };

const blockedBy = ({ reasonCode: code, reasonText }: StoredPod): PodExplanation["blocked_by"] =>
  code === null ? null : { code, message: reasonText ?? "" };
