import type { Pool } from "pg";
import type { Tasks } from "../../../engines/jobs/start-jobs";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { groupedBy } from "../../../kernel/grouped";
import { HISTORY_MS } from "./get-gpu-pool";
import { poolFigures } from "./pool-figures";
import { nodeUses } from "./pool-use.sql";

const SAMPLE_GPU_POOLS = "sample_gpu_pools";

/** In graphile-worker's crontab format. */
export const GPU_POOLS_CRONTAB = `*/5 * * * * ${SAMPLE_GPU_POOLS}`;

interface SampleParts {
  db: PrismaClient;
  sql: Pick<Pool, "query">;
  clock: Clock;
}

/** Measures the use of the pools for their history, and deletes what is older than seven days. */
export const gpuPoolTasks = (parts: SampleParts): Tasks => ({ [SAMPLE_GPU_POOLS]: () => sampleGpuPools(parts) });

export async function sampleGpuPools({ db, sql, clock }: SampleParts): Promise<void> {
  const at = clock.now();
  const byPool = groupedBy(await nodeUses(sql), ({ pool }) => pool);
  const data = [...byPool].map(([pool, nodes]) => {
    const { gpus, used_gpus: usedGpus, scattered_gpus: scatteredGpus } = poolFigures(nodes);
    return { pool, at, gpus, usedGpus, scatteredGpus };
  });
  await db.gpuPoolSample.createMany({ data, skipDuplicates: true });
  await db.gpuPoolSample.deleteMany({ where: { at: { lt: new Date(at.getTime() - HISTORY_MS) } } });
}
