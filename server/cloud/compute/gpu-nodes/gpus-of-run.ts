import type { PodRun, PrismaClient } from "../../../engines/postgres/generated/client";
import { RuntimeError } from "../../../engines/runtime/runtime";
import { isLivePool } from "../pools/fleet";

/**
 * The UUIDs of the GPUs of a run; undefined if it has none, or simulated ones. Throws a RuntimeError, `start_failed`, if
 * its node does not have one of them.
 */
export async function gpusOfRun(
  db: Pick<PrismaClient, "gpuNode">,
  { pool, node, devices, nodeId }: Pick<PodRun, "pool" | "node" | "devices" | "nodeId">,
): Promise<string[] | undefined> {
  if (pool === null || node === null || !isLivePool(pool)) return undefined;
  const row = await db.gpuNode.findUnique({ where: { pool_node: { pool, node } } });
  const uuids = devices.flatMap((device) => row?.gpuUuids[device] ?? []);
  if (row?.nodeId === nodeId && uuids.length === devices.length) return uuids;
  throw new RuntimeError(
    "start_failed",
    `The workload did not start: its node does not have the GPUs of ${node} any more.`,
  );
}
