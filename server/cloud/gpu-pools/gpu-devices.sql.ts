import type { Prisma } from "../../engines/postgres/generated/client";

/** Lets one transaction at a time decide about a pool. What it reads afterwards includes the decision before it. */
export async function lockPool(tx: Prisma.TransactionClient, pool: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`gpu-pool:${pool}`}, 0))`;
}

/** The devices of a pool that runs hold, by node. */
export async function usedDevices(tx: Prisma.TransactionClient, pool: string): Promise<Map<string, Set<number>>> {
  const used = new Map<string, Set<number>>();
  for (const { node, device } of await tx.gpuDevice.findMany({ where: { pool } })) {
    const devices = used.get(node) ?? new Set();
    used.set(node, devices.add(device));
  }
  return used;
}

/** Gives devices to a run; fails if another run holds one of them. */
export async function takeDevices(
  tx: Prisma.TransactionClient,
  { pool, node, devices, runId }: { pool: string; node: string; devices: readonly number[]; runId: string },
): Promise<void> {
  await tx.gpuDevice.createMany({ data: devices.map((device) => ({ pool, node, device, runId })) });
}

export async function releaseDevices(tx: Prisma.TransactionClient, runId: string): Promise<void> {
  await tx.gpuDevice.deleteMany({ where: { runId } });
}
