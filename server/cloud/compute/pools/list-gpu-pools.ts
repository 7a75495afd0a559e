import { z } from "zod";
import type { SqlCtx } from "../../../identity/identity-ctx";
import { groupedBy } from "../../../kernel/grouped";
import { operation } from "../../cloud-operation";
import { GPU_MODELS } from "../../core/prices/gpu-models";
import { nodesOf, poolOf } from "./fleet";
import { GpuPool } from "./pool";
import { gpuPoolExample } from "./pool.example";
import { type NodeUse, poolFigures } from "./pool-figures";
import { nodeUses } from "./pool-use.sql";
import { REGIONS } from "./regions";

/** Returns the pools of all regions, with what is in use and free. */
export const listGpuPools = operation({
  id: "listGpuPools",
  summary: "List GPU pools with what is free",
  description:
    "A pool has the GPUs of one model in one region, of all tenants: simulated ones, which pods of test keys get, or real ones, which pods of live keys get. The simulated pools come first, then those of real GPUs, if there are any. The list has no further page.",
  access: "pods:read",
  input: z.strictObject({}),
  output: z.object({ data: z.array(GpuPool), next_cursor: z.null() }),
  example: { input: {}, output: { data: [gpuPoolExample], next_cursor: null } },
  run: async (ctx: SqlCtx) => {
    const byPool = groupedBy(await nodeUses(ctx.sql), ({ pool }) => pool);
    const pools = REGIONS.flatMap((region) =>
      GPU_MODELS.map((gpu) => {
        const stored = byPool.get(poolOf(region, gpu));
        return { region, gpu, simulated: true, ...poolFigures(stored ?? idleNodes(gpu)) };
      }),
    );
    const live = REGIONS.flatMap((region) =>
      GPU_MODELS.flatMap((gpu) => {
        const stored = byPool.get(poolOf(region, gpu, "live"));
        return stored ? { region, gpu, simulated: false, ...poolFigures(stored) } : [];
      }),
    );
    return { data: [...pools, ...live], next_cursor: null };
  },
});

/** Of a pool that was never used, which is written when the first pod is placed. */
export const idleNodes = (gpu: (typeof GPU_MODELS)[number]): NodeUse[] =>
  nodesOf(gpu).map(({ gpus }) => ({ gpus, usedGpus: 0, spotGpus: 0, isCordoned: false, withheldGpus: 0 }));
