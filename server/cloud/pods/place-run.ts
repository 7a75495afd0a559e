import type { Pod, Prisma } from "../../engines/postgres/generated/client";
import { type GpuModel, nodesOf, poolOf } from "../gpu-pools/fleet";
import { lockPool, takeDevices, usedDevices } from "../gpu-pools/gpu-devices.sql";
import { placeGpus } from "../gpu-pools/place-gpus";
import { usableDevices } from "../reserved-gpus/usable-devices";
import { type Blocked, chooseRunner } from "./choose-runner";
import { runIdOf } from "./pod";
import { addToTimeline } from "./pod-timeline";
import { lockRunners, usedMemory } from "./pods.sql";

/**
 * Places the current run of a pod on a machine and, if it has GPUs, on devices of a pool, all in the transaction of
 * `tx`; or records why that is not possible now. Lock the pod first, or create it in `tx`.
 */
export async function placeRun(tx: Prisma.TransactionClient, pod: Pod, now: Date): Promise<boolean> {
  const decision = await decide(tx, pod, now);
  if ("code" in decision) {
    if (pod.reasonText === decision.message) return false;
    await tx.pod.update({ where: { id: pod.id }, data: { reasonCode: decision.code, reasonText: decision.message } });
    // What is free changes all the time, and the timeline is bounded by what happens to the pod itself.
    if (pod.reasonCode !== decision.code) {
      await addToTimeline(tx, pod, { type: "waiting", message: decision.message, at: now });
    }
    return false;
  }
  const { runnerId, gpus } = decision;
  const runId = runIdOf(pod.id, pod.runNumber);
  if (gpus) await takeDevices(tx, { ...gpus, runId });
  await tx.podRun.update({ where: { id: runId }, data: { runnerId, ...gpus } });
  await tx.pod.update({ where: { id: pod.id }, data: { reasonCode: null, reasonText: null } });
  const on = gpus ? ` on ${gpus.node} of ${gpus.pool} (simulated), devices ${gpus.devices.join(", ")}` : "";
  await addToTimeline(tx, pod, { type: "placed", message: `Capacity was assigned${on}.`, at: now });
  return true;
}

interface Decision {
  runnerId: string;
  gpus?: { pool: string; node: string; devices: number[] };
}

async function decide(tx: Prisma.TransactionClient, pod: Pod, now: Date): Promise<Decision | Blocked> {
  const gpus =
    pod.gpu !== null && pod.region !== null
      ? await decideGpus(tx, pod, { pool: poolOf(pod.region, pod.gpu), now })
      : undefined;
  if (gpus && "code" in gpus) return gpus;
  const runners = await lockRunners(tx);
  const used = await usedMemory(tx);
  const chosen = chooseRunner(
    runners.map(({ id, memoryMb }) => ({ id, memoryMb, usedMb: used.get(id) ?? 0 })),
    pod.memoryMb,
  );
  if ("code" in chosen) return chosen;
  return { ...chosen, ...(gpus && { gpus }) };
}

async function decideGpus(
  tx: Prisma.TransactionClient,
  pod: Pod,
  { pool, now }: { pool: string; now: Date },
): Promise<NonNullable<Decision["gpus"]> | Blocked> {
  await lockPool(tx, pool);
  const nodes = nodesOf(pod.gpu as GpuModel);
  const usable = await usableDevices(tx, pod, { pool, nodes, now });
  if ("blocked" in usable) return { code: "no_gpus", message: usable.blocked };
  const used = await usedDevices(tx, pool);
  for (const [node, devices] of usable.unusable) used.set(node, new Set([...devices, ...(used.get(node) ?? [])]));
  const placed = placeGpus({ nodes, used }, pod.gpuCount);
  if ("blocked" in placed) return { code: "no_gpus", message: placed.blocked };
  return { pool, ...placed };
}
