import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { livePools } from "../gpu-nodes/gpu-nodes.sql";
import { poolOf } from "../pools/fleet";

/** Throws `unavailable` (reason `no_capacity`) if no node of this installation has such GPUs. */
export async function requireRealGpus(
  db: Pick<PrismaClient, "$queryRaw">,
  { gpu, region }: { gpu: string; region: string },
): Promise<void> {
  const pools = await livePools(db);
  if (pools.includes(poolOf(region, gpu, "live"))) return;
  const found = pools.map((pool) => pool.split("/")).map(([where, model]) => `${model} in ${where}`);
  const message =
    found.length === 0
      ? "This installation has no GPUs. In test mode GPUs are simulated; pods without GPUs run in both modes."
      : `This installation has no ${gpu} GPUs in ${region}. It has: ${found.join(", ")}.`;
  throw new ServiceError("unavailable", message, { param: "gpu", details: { reason: "no_capacity" } });
}
