import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { recordExit } from "../../server/cloud/compute/pods/record-run";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import type { Resource } from "../../server/cloud/core/records/resource";
import { type TestApp, testApp } from "../factories/app";
import { manage } from "../factories/calls";
import { emptyPools, idleNode, newPodClient, type TenantPodClient } from "../factories/pod-scene";

const POD = { image: "alpine", memory_mb: 64 };

describe("the disk of a node", () => {
  let test: TestApp;
  let a: TenantPodClient;
  let b: TenantPodClient;
  beforeAll(async () => {
    test = await testApp({ env: { RUNTIME: "auto", ROLE: "web" } });
    [a, b] = await Promise.all([newPodClient(test), newPodClient(test)]);
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    await emptyPools(test);
    await test.app.cloud.db.podNode.deleteMany();
  });

  const round = () => maintainPods({ ...test.app.cloud, gpuPools: new GpuPools() });
  const isPlaced = async ({ id }: Pod) =>
    (await test.app.cloud.db.podRun.count({ where: { podId: id, nodeId: { not: null } } })) > 0;

  it("has room for 256 MiB of each pod: the next one waits and says so, and runs when another one has ended", async () => {
    await idleNode(test, 10_000, 600);
    const [one, two] = [await a.create(POD), await b.create(POD)];
    expect([await isPlaced(one), await isPlaced(two)]).toEqual([true, true]);
    const three = await a.create(POD);
    const reason = {
      code: "no_disk",
      message: "The pod needs 256 MiB of disk; 88 of 600 MiB are free on this installation.",
    };
    expect(three).toMatchObject({ status: "pending", status_reason: reason });
    expect((await b.call("/estimate", { body: POD })).body).toMatchObject({ fits_now: false, blocked_by: reason });
    expect((await a.call(`/${three.id}/explanation`)).body).toMatchObject({ blocked_by: reason, nearest_shapes: [] });
    await round();
    expect(await isPlaced(three)).toBe(false);
    await recordExit(test.app.cloud, `${two.id}-1`, { endedAt: new Date(), outcome: "complete" });
    await round();
    expect(await isPlaced(three)).toBe(true);
  });

  it("has room for what new volumes may become", async () => {
    await idleNode(test, 10_000, 3500);
    expect(await isPlaced(await a.create(POD))).toBe(true);
    const waits = await b.create({ ...POD, volume: { size_gb: 3 } });
    expect(waits).toMatchObject({
      status_reason: { code: "no_disk", message: expect.stringContaining("needs 3328 MiB of disk; 3244 of 3500 MiB") },
    });
    expect(await isPlaced(await b.create({ ...POD, volume: { size_gb: 2 } }))).toBe(true);
    const key = (await a.withScopes(["gpuc:read", "gpuc:write"])).key;
    const call = async <T>(url: string, body: object) => (await manage(test, url, { key, body })).json() as Promise<T>;
    await call("/v1/activations", { service: "dfs" });
    const volume = await call<Resource>("/v1/resources", { service: "dfs", name: "large", spec: { capacity_gb: 3 } });
    expect(volume.reason).toMatchObject({ code: "no_disk", message: expect.stringContaining("2 GiB are free") });
  });

  it("has room for all pods of a gang, or for none", async () => {
    await idleNode(test, 10_000, 600);
    const member = { ...POD, gpu: "l40s", region: "apac", gang: { name: "three", size: 3 } };
    const pods: Pod[] = [];
    for (let i = 0; i < 3; i++) pods.push(await a.create(member));
    await round();
    expect(await Promise.all(pods.map(isPlaced))).toEqual([false, false, false]);
    const { status_reason } = await a.get(pods[2]?.id ?? "");
    expect(status_reason).toMatchObject({ code: "no_disk", message: expect.stringContaining("placed together") });
  });

  it("is no limit while the node does not report it", async () => {
    await idleNode(test);
    for (let i = 0; i < 12; i++) expect(await isPlaced(await a.create(POD))).toBe(true);
  });
});
