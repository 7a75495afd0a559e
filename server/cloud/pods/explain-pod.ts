import { z } from "zod";
import type { Pod as PodRow, Prisma } from "../../engines/postgres/generated/client";
import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { GPU_MODELS, REGIONS, type Region } from "../gpu-pools/fleet";
import { type ExpectedWait, expectedWait } from "./expected-wait";
import { findPod } from "./find-pod";
import { nearestShapes, type PodShape } from "./nearest-shapes";
import { podChoice } from "./pod-fields";
import { POD_STATUSES } from "./pod-states";
import { freshRunners, usedMemory } from "./pods.sql";
import { type PoolState, readPool, roomOf } from "./pool-state";
import { queuePosition } from "./queue-position";
import { readWait, type Waiting } from "./read-wait";

const PodExplanation = z
  .object({
    pod_id: z.string(),
    status: z.enum(POD_STATUSES),
    blocked_by: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe("What keeps the pod from capacity; null if it does not wait for capacity"),
    nearest_shapes: z
      .array(
        z.object({
          gpu: z.enum(GPU_MODELS).nullable(),
          gpu_count: z.int(),
          region: z.enum(REGIONS).nullable(),
          cpu: z.int(),
          memory_mb: z.int(),
          note: z.string().describe("How it differs from the pod"),
        }),
      )
      .describe(
        "At most 5. A pod of such a shape, bought as this one is, would be placed now, beside this one, if the quota of pods allows one more. None for a pod of a gang",
      ),
    expected_wait: z
      .object({
        seconds: z.int(),
        basis: z.string().describe("What the number is, in a sentence"),
        samples: z.int().describe("Of how many values it is the median; 0: it follows from ends that are known"),
      })
      .nullable()
      .describe("null: no end is known and the last 7 days have fewer than 3 samples, or it is a pod of a gang"),
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
  cost: "normal",
  input: z.strictObject(podChoice),
  output: PodExplanation,
  example: {
    input: { id: exampleId("pod") },
    output: {
      ...{ pod_id: exampleId("pod"), status: "pending" as const },
      blocked_by: { code: "no_gpus", message: "All GPUs of the 8 nodes of this pool are in use." },
      nearest_shapes: [
        {
          ...{ gpu: "h100" as const, gpu_count: 2, region: "euw" as const, cpu: 8, memory_mb: 4096 },
          note: "The same in euw instead of use",
        },
      ],
      expected_wait: { seconds: 30, basis: "Pods that are ending free enough for it by then.", samples: 0 },
      ...{ queue_position: 1, checked_at: EXAMPLE_TIME },
    },
  },
  run: async (ctx: CloudCtx, { id }): Promise<PodExplanation> => {
    const runners = (await freshRunners(ctx.sql)).filter(({ kind }) => kind !== null);
    return ctx.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET TRANSACTION READ ONLY`;
        const pod = await findPod({ db: tx, actor: ctx.actor }, id);
        const now = ctx.clock.now();
        const used = await usedMemory(tx);
        const machines = runners.map(({ id: node, memoryMb }) => ({
          ...{ node, devices: [], cpuMilli: Number.POSITIVE_INFINITY },
          memoryMib: Math.max(0, memoryMb - (used.get(node) ?? 0)),
        }));
        const [run] = pod.runs;
        const isWaiting = pod.status === "pending" && run?.runnerId === null && !run.endedAt;
        const waited = isWaiting ? await explainWait(tx, { pod, run, machines, now }) : NOT_WAITING;
        return { pod_id: id, status: pod.status, ...waited, checked_at: now.toISOString() };
      },
      { isolationLevel: "RepeatableRead" },
    );
  },
});

type Waited = Omit<PodExplanation, "pod_id" | "status" | "checked_at">;

const NOT_WAITING: Waited = { blocked_by: null, nearest_shapes: [], expected_wait: null, queue_position: null };

type WaitingPod = Omit<Waiting, "own" | "position">;
type AnyWaiting = Omit<Waiting, "position"> & { position: number | null };

async function explainWait(tx: Prisma.TransactionClient, waiting: WaitingPod): Promise<Waited> {
  const { pod, run, machines, now } = waiting;
  // What would fit one of its pods does not say when all of them fit.
  if (pod.gangName !== null)
    return { ...NOT_WAITING, blocked_by: blockedBy(pod), queue_position: await queuePosition(tx, run.id) };
  const own = pod.gpu === null ? undefined : await readPool(tx, pod, { region: pod.region as Region, now });
  const others: PoolState[] = [];
  // The devices of a reservation are in one region.
  for (const region of own && pod.reservationId === null ? REGIONS : []) {
    if (region !== pod.region) others.push(await readPool(tx, pod, { region, now }));
  }
  const position = await queuePosition(tx, run.id);
  const shapes = nearestShapes(shapeOf(pod), {
    ...{ own: own && roomOf(own), others: others.map(roomOf) },
    machineMemoryMb: Math.max(0, ...machines.map(({ memoryMib }) => memoryMib)),
  });
  return {
    blocked_by: blockedBy(pod),
    nearest_shapes: shapes as PodExplanation["nearest_shapes"],
    expected_wait: await waitOf(tx, { ...waiting, own, position }),
    queue_position: position,
  };
}

const blockedBy = ({ reasonCode: code, reasonText }: PodRow): Waited["blocked_by"] =>
  code === null ? null : { code, message: reasonText ?? "" };

async function waitOf(
  tx: Prisma.TransactionClient,
  { position, ...waiting }: AnyWaiting,
): Promise<ExpectedWait | null> {
  if (position === null) return null;
  // Nothing tells when a machine comes back.
  if (waiting.pod.reasonCode === "no_machine") return null;
  return expectedWait(await readWait(tx, { ...waiting, position }));
}

const shapeOf = ({ gpu, gpuCount, region, cpu, memoryMb }: PodRow): PodShape => ({
  ...{ gpu, gpu_count: gpuCount, region, cpu, memory_mb: memoryMb },
});
