import type { Pool } from "pg";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { Part } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { GPU_QUOTAS } from "./gpu-quotas";
import { GPU_SHARE_WEIGHT } from "./gpu-share-weight";
import { GpuPools } from "./pools";
import { gpuPoolRoutes } from "./pools.routes";
import { gpuPoolTools } from "./pools.tools";
import { GPU_POOLS_CRONTAB, gpuPoolTasks } from "./sample-gpu-pools";
import { startFleetUpgrades } from "./start-fleet-upgrades";

interface Needs {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  alarms: Pick<StartedAlarms, "add">;
  config: { roles: ReadonlySet<string> };
}

/** The pools of GPUs that pods are placed on; workers advance fleet upgrades. */
export const gpuPoolsPart: Part<Needs, { gpuPools: GpuPools }, typeof gpuPoolRoutes> = {
  name: "GPU pools",
  routes: [gpuPoolRoutes],
  tools: gpuPoolTools,
  quotas: [...GPU_QUOTAS, GPU_SHARE_WEIGHT],
  start: ({ db, sql, clock, alarms, config }) => {
    const upgrades = config.roles.has("worker") ? startFleetUpgrades({ db, clock, alarms }) : undefined;
    return {
      gives: { gpuPools: new GpuPools() },
      tasks: gpuPoolTasks({ db, sql, clock }),
      crontab: [GPU_POOLS_CRONTAB],
      stop: () => upgrades?.stop(),
    };
  },
};
