import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { findProject } from "../../../identity/projects/find-project";
import { EXAMPLE_TIME } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { nodeOfVolumes } from "../../data/volumes/attach-volumes";
import { requireRuntime } from "../placement/require-runtime";
import { purchaseOf } from "../pod-records/stored-pod";
import { podFields } from "../pod-requests/pod-fields";
import {
  abilitiesOf,
  assertMayUseSecrets,
  assertSecrets,
  podRequestFields,
  readPodRequest,
} from "../pod-requests/pod-request";
import { BlockedBy, ExpectedWaitOut, NearestShapes, waitForecastOf } from "../waits/wait-forecast";
import { decideWanted } from "./decide-wanted";
import { PodPrice, podPrice } from "./pod-price";
import type { PodsCtx } from "./pods-ctx";
import { type Refusal, refusalOf } from "./refusal";
import { inSnapshot } from "./snapshot-capacity";
import { type WantedPod, wantedPod } from "./wanted-pod";

const PodEstimate = z
  .object({
    fits_now: z
      .boolean()
      .describe("true: a pod that is created now is placed at once; of a gang, all its missing pods, together"),
    blocked_by: BlockedBy.describe(
      "What a pod that is created now waits for, or why it cannot be created: quota_exceeded, no_runtime, no_capacity, ports_unsupported, volume_unsupported, or the reason of a conflict such as reservation_full",
    ),
    price: PodPrice,
    expected_wait: ExpectedWaitOut.describe(
      "0 seconds if it fits now; of a gang, until all its pods fit together. null: no end is known and the last 7 days, which say nothing about gangs, have fewer than 3 samples, or it cannot be created",
    ),
    nearest_shapes: NearestShapes.describe(
      "At most 5 shapes that would be placed now, bought in the same way. None if it fits, or for a gang",
    ),
    checked_at: z.iso.datetime(),
  })
  .meta({ id: "PodEstimate" });
type PodEstimate = z.infer<typeof PodEstimate>;

const NOTICE_WAIT = {
  seconds: 30,
  samples: 0,
  basis: "Spot pods are given 30 seconds of notice to make room for it.",
};

/**
 * Says whether a pod would be placed now, what it costs and how long it would wait, without creating or reserving
 * anything. Throws what the creation throws for wrong input; what it throws because there is no room is in `blocked_by`.
 */
export const estimatePod = operation({
  id: "estimatePod",
  summary: "Estimate whether a pod fits now, what it costs, and how long it waits",
  description:
    "Takes what createPod takes; `image` may be absent. All is read at one time and nothing is reserved, so what fits now can be taken by others a moment later.",
  access: "pods:read",
  input: z.strictObject({ image: podFields.image.optional(), ...podRequestFields }),
  output: PodEstimate,
  example: {
    input: { gpu: "h100", gpu_count: 4, cpu: 8, memory_mb: 4096 },
    output: {
      fits_now: false,
      blocked_by: { code: "no_gpus", message: "All GPUs of the 8 nodes of this pool are in use." },
      price: {
        purchase: "on_demand" as const,
        per_hour: "10.216",
        pods: 1,
        total_per_hour: "10.216",
        currency: "USD",
        purchases: [
          { purchase: "on_demand" as const, per_hour: "10.216" },
          { purchase: "spot" as const, per_hour: "5.616" },
          { purchase: "reserved_30d" as const, per_hour: "5.216" },
          { purchase: "reserved_365d" as const, per_hour: "4.216" },
        ],
      },
      expected_wait: { seconds: 30, basis: "Pods that are ending free enough for it by then.", samples: 0 },
      nearest_shapes: [
        {
          gpu: "h100" as const,
          gpu_count: 4,
          region: "euw" as const,
          cpu: 8,
          memory_mb: 4096,
          note: "The same in euw instead of use",
        },
      ],
      checked_at: EXAMPLE_TIME,
    },
  },
  run: async (
    ctx: ActorCtx & Pick<PodsCtx, "currency" | "podRuns" | "secretsKey" | "sql">,
    asked,
  ): Promise<PodEstimate> => {
    const { db, actor, clock, currency } = ctx;
    const { mode, input, gpus } = await readPodRequest(ctx, asked);
    assertMayUseSecrets(actor, input);
    const off = await refusalOf(() =>
      requireRuntime(ctx, { tenantId: ctx.actor.tenantId, mode, ...gpus, ...abilitiesOf(input) }),
    );
    return inSnapshot(db, async (tx) => {
      const project = await findProject(tx, actor, input.project);
      const owner = { tenantId: actor.tenantId, projectId: project.id, mode };
      await assertSecrets(ctx, owner, input);
      const now = clock.now();
      const requiredNodeId = await nodeOfVolumes(tx, { owner, mounts: input.volumes, holds: false });
      const wanted = await wantedPod(tx, { owner, input, gpus, now, requiredNodeId });
      const { cpu, memory_mb: memoryMb } = input;
      const price = podPrice(
        { purchase: purchaseOf(input), ...gpus, cpu, memoryMb },
        { pods: input.gang?.size ?? 1, currency },
      );
      return { ...(await fitOf({ tx, off }, wanted, now)), price, checked_at: now.toISOString() };
    });
  },
});

type Fit = Omit<PodEstimate, "price" | "checked_at">;

async function fitOf(
  { tx, off }: { tx: Parameters<typeof decideWanted>[0]; off: Refusal | undefined },
  wanted: WantedPod,
  now: Date,
): Promise<Fit> {
  const { refused, blocked, makesRoom } = off ? { refused: off } : await decideWanted(tx, wanted, now);
  const why = refused ?? blocked;
  if (!why) {
    const expected_wait = { seconds: 0, basis: "It fits now.", samples: 0 };
    return { fits_now: true, blocked_by: null, expected_wait, nearest_shapes: [] };
  }
  const { code, message } = why;
  const blocked_by = { code, message };
  if (refused?.isFinal) return { fits_now: false, blocked_by, expected_wait: null, nearest_shapes: [] };
  const pod = { ...wanted.pod, reasonCode: code, reasonText: message };
  const run = { id: wanted.runId, createdAt: now };
  const outlook = await waitForecastOf(tx, { pod, run, missing: wanted.missing, now });
  const wait = makesRoom && outlook.queue_position === 1 ? NOTICE_WAIT : outlook.expected_wait;
  return {
    fits_now: false,
    blocked_by,
    nearest_shapes: outlook.nearest_shapes,
    expected_wait: refused ? null : wait,
  };
}
