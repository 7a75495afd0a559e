import { z } from "zod";
import type { PodRun, Prisma } from "../../engines/postgres/generated/client";
import { GPU_MODELS, poolOf, REGIONS, type Region } from "../gpu-pools/fleet";
import { withPorts } from "./decide-place";
import { type ExpectedWait, expectedWait } from "./expected-wait";
import { nearestShapes, type PodShape } from "./nearest-shapes";
import type { PodToPlace } from "./pod-to-place";
import { readRunners, usedMemory } from "./pods.sql";
import { type PoolState, readPool, roomOf } from "./pool-state";
import { queuePosition } from "./queue-position";
import { readWait, type Waiting } from "./read-wait";
import type { WaitingPod } from "./waiting-runs.sql";

export const BlockedBy = z.object({ code: z.string(), message: z.string() }).nullable();

export const NearestShapes = z.array(
  z.object({
    gpu: z.enum(GPU_MODELS).nullable(),
    gpu_count: z.int(),
    region: z.enum(REGIONS).nullable(),
    cpu: z.int(),
    memory_mb: z.int(),
    note: z.string().describe("How it differs from the pod"),
  }),
);

export const ExpectedWaitOut = z
  .object({
    seconds: z.int(),
    basis: z.string().describe("What the number is, in a sentence"),
    samples: z.int().describe("Of how many values it is the median; 0: it follows from ends that are known"),
  })
  .nullable();

export interface Outlook {
  nearest_shapes: z.infer<typeof NearestShapes>;
  expected_wait: z.infer<typeof ExpectedWaitOut>;
  queue_position: number | null;
}

/** A pod that waits, or would; of a pod that does not exist the run is the newest. */
export interface WaitingRun {
  pod: PodToPlace;
  run: Pick<PodRun, "id" | "createdAt">;
  now: Date;
}

/** What a pod that waits for capacity can expect, and what would fit now. Read it in a transaction with one snapshot. */
export async function outlookOf(tx: Prisma.TransactionClient, { pod, run, now }: WaitingRun): Promise<Outlook> {
  const position = await queuePosition(tx, toWaitingPod(pod, run));
  // What would fit one of its pods does not say when all of them fit.
  if (pod.gangName !== null) return { nearest_shapes: [], expected_wait: null, queue_position: position };
  const machines = await machinesNow(tx, pod);
  const own = pod.gpu === null ? undefined : await readPool(tx, pod, { region: pod.region as Region, now });
  const others: PoolState[] = [];
  // The devices of a reservation are in one region.
  for (const region of own && pod.reservationId === null ? REGIONS : []) {
    if (region !== pod.region) others.push(await readPool(tx, pod, { region, now }));
  }
  const shapes = nearestShapes(shapeOf(pod), {
    ...{ own: own && roomOf(own), others: others.map(roomOf) },
    machineMemoryMb: Math.max(0, ...machines.map(({ memoryMib }) => memoryMib)),
  });
  return {
    nearest_shapes: shapes as Outlook["nearest_shapes"],
    expected_wait: await waitOf(tx, { pod, run, machines, now, own, position }),
    queue_position: position,
  };
}

/** The machines that run pods, with their free memory. */
async function machinesNow(tx: Prisma.TransactionClient, { ports }: PodToPlace): Promise<Waiting["machines"]> {
  const [runners, used] = [withPorts(await readRunners(tx), ports), await usedMemory(tx)];
  return runners.map(({ id: node, memoryMb }) => ({
    ...{ node, devices: [], cpuMilli: Number.POSITIVE_INFINITY },
    memoryMib: Math.max(0, memoryMb - (used.get(node) ?? 0)),
  }));
}

type AnyWaiting = Omit<Waiting, "position"> & { position: number | null };

async function waitOf(
  tx: Prisma.TransactionClient,
  { position, ...waiting }: AnyWaiting,
): Promise<ExpectedWait | null> {
  if (position === null) return null;
  // Nothing tells when a machine comes back.
  if (waiting.pod.reasonCode === "no_machine") return null;
  return expectedWait(await readWait(tx, { ...waiting, position }));
}

const shapeOf = ({ gpu, gpuCount, region, cpu, memoryMb }: PodToPlace): PodShape => ({
  ...{ gpu, gpu_count: gpuCount, region, cpu, memory_mb: memoryMb },
});

const toWaitingPod = (pod: PodToPlace, { id, createdAt }: WaitingRun["run"]): WaitingPod => ({
  ...{ id, podId: pod.id, tenantId: pod.tenantId, projectId: pod.projectId, mode: pod.mode, gangName: pod.gangName },
  ...{ spot: pod.spot, pool: pod.gpu === null ? null : poolOf(pod.region ?? "", pod.gpu, pod.mode) },
  ...{ gpuCount: pod.gpuCount, createdAt },
});
