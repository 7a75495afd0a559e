import { BaremetalSpec } from "../../server/cloud/compute/instances/instance-spec";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import { recordExit } from "../../server/cloud/compute/pods/record-run";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { newId } from "../../server/kernel/ids";
import { makeTenant, type TestApp } from "./app";
import { platformKey, raiseRate } from "./calls";
import { instanceFields } from "./cloud-rows";
import { PodClient } from "./pod-scene";

/** Baremetal instances of a tenant in test mode, where nothing runs: the records say what would. */
export class OwnNodesClient extends PodClient {
  constructor(
    test: TestApp,
    key: string,
    readonly tenantId: string,
  ) {
    super(test, key);
  }

  /** An instance that has a node of a pool in apac for itself. */
  async metal(gpu: "h100" | "h200"): Promise<{ rid: string; podId: string; node: string }> {
    const { db, clock } = this.test.app.cloud;
    const pod = await this.create({ image: "alpine", gpu, region: "apac", gpu_count: 8 });
    const now = clock.now();
    const rid = newId("res", now.getTime());
    const spec = BaremetalSpec.parse({ sku: gpu.toUpperCase(), image_id: "alpine-3" });
    const { tenantId, projectId } = await db.pod.findUniqueOrThrow({ where: { id: pod.id } });
    const owner = { tenantId, projectId, mode: "test" as const };
    await db.resource.create({
      data: { id: rid, ...owner, service: "baremetal", state: "ready", ...instanceFields(rid, spec, now) },
    });
    await db.pod.update({ where: { id: pod.id }, data: { resourceId: rid } });
    await startPlaced(this.test);
    return { rid, podId: pod.id, node: pod.allocation?.node ?? "" };
  }
}

export async function ownNodesClient(test: TestApp): Promise<OwnNodesClient> {
  const ctx = await makeTenant(test);
  await raiseRate(test, ctx.tenantId);
  const scopes = ["gpuc:read", "gpuc:write", "pods:read", "pods:write"] as const;
  return new OwnNodesClient(test, await platformKey(ctx, { mode: "test", scopes: [...scopes] }), ctx.tenantId);
}

/** What nodes and the rounds of svc would do, one by one. */
export const podRounds = (test: () => TestApp) => ({
  place: () => maintainPods({ ...test().app.cloud, gpuPools: new GpuPools() }),
  start: () => startPlaced(test()),
  /** The runs that have notice end, or those that are to stop. */
  endNoticed: async ({ noticed = true }: { noticed?: boolean } = {}) => {
    const { cloud } = test().app;
    const where = noticed ? { noticeAt: { not: null } } : { pod: { status: "stopping" as const } };
    for (const { id } of await cloud.db.podRun.findMany({ where: { endedAt: null, ...where } }))
      await recordExit(cloud, id, { endedAt: new Date(), outcome: "complete" });
  },
});

async function startPlaced({ app }: TestApp): Promise<void> {
  const { db } = app.cloud;
  const placed = { endedAt: null, nodeId: { not: null }, pod: { status: "pending" as const } };
  for (const { id, podId } of await db.podRun.findMany({ where: placed })) {
    await db.podRun.update({ where: { id }, data: { startedAt: new Date(), observedAt: new Date() } });
    await db.pod.update({ where: { id: podId }, data: { status: "ready", startedAt: new Date() } });
  }
}
