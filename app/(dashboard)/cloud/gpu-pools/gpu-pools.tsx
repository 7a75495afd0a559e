"use client";

import { QueryContent } from "../../../components/query-content";
import { Skeleton } from "../../../components/ui/skeleton";
import { refreshEvery } from "../../../trpc/query-client";
import { useQueryOf } from "../../../trpc/use-operation";
import { PageHeader } from "../../components/page-header";
import { RequireScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { type Pool, poolsOfMode } from "./gpu-pool";
import { PoolGrid } from "./pool-grid";
import { PoolHistory } from "./pool-history";
import { PoolNodes } from "./pool-nodes";
import { PoolWarmth } from "./pool-warmth";

const REFRESH_MS = 5000;
const DESCRIPTION =
  "The GPUs of each model in each region, of all tenants. Those of test mode are simulated: GPUs are assigned and metered, but no process has one.";

export const GpuPools = () => (
  <RequireScope scope="pods:read" title="GPU pools" what="the GPU pools">
    <Pools />
  </RequireScope>
);

function Pools() {
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const query = useQueryOf("listGpuPools", {}, { refetchInterval: refreshEvery(REFRESH_MS) });
  return (
    <>
      <PageHeader title="GPU pools" description={DESCRIPTION} />
      <QueryContent query={query} loading={<Skeleton className="h-96" />}>
        {({ data }) => {
          const pools = poolsOfMode(data, mode);
          const chosen = chosenOf(pools, params.get("region"), params.get("gpu"));
          return (
            <div className="space-y-6">
              <PoolGrid pools={pools} chosen={chosen} onChoose={({ region, gpu }) => change({ region, gpu }, "push")} />
              {chosen && <Picture key={`${chosen.region}/${chosen.gpu}/${chosen.simulated}`} pool={chosen} />}
            </div>
          );
        }}
      </QueryContent>
    </>
  );
}

/** The one of the address, else the one with the most GPUs in use. */
function chosenOf(pools: readonly Pool[], region: string | null, gpu: string | null): Pool | undefined {
  const asked = pools.find((pool) => pool.region === region && pool.gpu === gpu);
  return asked ?? pools.toSorted((a, b) => b.used_gpus - a.used_gpus)[0];
}

function Picture({ pool: { region, gpu, simulated } }: { pool: Pool }) {
  const query = useQueryOf(
    "getGpuPool",
    { region, gpu, simulated: simulated ? "true" : "false" },
    { refetchInterval: refreshEvery(REFRESH_MS) },
  );
  return (
    <QueryContent query={query} loading={<Skeleton className="h-80" />}>
      {(picture) => (
        <>
          <PoolNodes pool={picture} />
          <PoolWarmth pool={picture} />
          <PoolHistory pool={picture} />
        </>
      )}
    </QueryContent>
  );
}
