import type { Prisma, Reservation } from "../../../engines/postgres/generated/client";
import { type GangKeep, gangKeepOf } from "../pools/gang-keeps.sql";
import { chooseDevices, type Device, type PoolUse } from "../reserved-gpus/choose-devices";
import { reservableNodes } from "./pool-size";

/**
 * Assigns devices to a reservation until it has all of them, or all that are free on nodes that accept pods; those that
 * it has stay. Spot pods run on. Lock the pool first. Returns whether it got more.
 */
export async function assignDevices(
  tx: Prisma.TransactionClient,
  { id: reservationId, pool, count }: Pick<Reservation, "id" | "pool" | "count">,
): Promise<boolean> {
  const [taken, lent] = [new Map<string, Set<number>>(), new Map<string, Set<number>>()];
  const note = (map: Map<string, Set<number>>, { node, device }: { node: string; device: number }) =>
    map.set(node, (map.get(node) ?? new Set()).add(device));
  const reserved = await tx.reservedDevice.findMany({ where: { pool } });
  for (const device of reserved) note(taken, device);
  for (const device of await usedDevices(tx, pool)) note(device.spot ? lent : taken, device);
  const missing = count - reserved.filter((device) => device.reservationId === reservationId).length;
  if (missing <= 0) return false;
  const closed = await tx.gpuNode.findMany({ where: { pool, cordonedAt: { not: null } }, select: { node: true } });
  const all = await reservableNodes(tx, pool);
  const nodes = all.filter(({ name }) => !closed.some(({ node }) => node === name));
  for (const { name: node, withheld } of nodes) for (const device of withheld) note(taken, { node, device });
  const chosen = chooseBeside(await gangKeepOf(tx, pool), { nodes, taken, lent }, missing);
  await tx.reservedDevice.createMany({ data: chosen.map((device) => ({ ...device, pool, reservationId })) });
  return chosen.length > 0;
}

/** On nodes that are kept for a gang only if the others do not suffice. */
function chooseBeside(keep: GangKeep | undefined, use: PoolUse, count: number): Device[] {
  const nodes = use.nodes.filter(({ name }) => !keep?.places.some(({ node }) => node === name));
  const chosen = chooseDevices({ ...use, nodes }, count);
  return chosen.length < count && nodes.length < use.nodes.length ? chooseDevices(use, count) : chosen;
}

const usedDevices = (tx: Prisma.TransactionClient, pool: string) =>
  tx.$queryRaw<{ node: string; device: number; spot: boolean }[]>`
    SELECT d.node, d.device, p.spot
    FROM gpu_devices d JOIN pod_runs r ON r.id = d.run_id JOIN pods p ON p.id = r.pod_id WHERE d.pool = ${pool}`;

export async function releaseReserved(tx: Prisma.TransactionClient, reservationId: string): Promise<void> {
  await tx.reservedDevice.deleteMany({ where: { reservationId } });
}
