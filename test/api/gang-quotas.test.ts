import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import { recordExit } from "../../server/cloud/compute/pods/record-run";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { newId } from "../../server/kernel/ids";
import { type TestApp, testApp } from "../factories/app";
import { manage } from "../factories/calls";
import { emptyPools, idleNode, newPodClient, type TenantPodClient } from "../factories/pod-scene";

/** The pool has two nodes of 8 GPUs. */
const GPUS = { image: "alpine", gpu: "l40s", region: "apac", gpu_count: 4 };
const GPU_QUOTA = "gpus_l40s_apac";
const DAY_MS = 86_400_000;

describe("gangs that fit one after the other, whose pods are created at once", () => {
  let test: TestApp;
  let client: TenantPodClient;
  const db = () => test.app.cloud.db;
  beforeAll(async () => {
    test = await testApp({ env: { RUNTIME: "auto", ROLE: "web" } });
    await idleNode(test);
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    await emptyPools(test);
    client = await newPodClient(test);
  });

  /** Each call is another process, which has remembered nothing. */
  const round = () => maintainPods({ ...test.app.cloud, gpuPools: new GpuPools() });
  const limit = (resource: string, most: number) =>
    db().quota.create({ data: { tenantId: client.tenantId, resource, limit: most, setAt: new Date() } });
  const usedOf = async (resource: string) => {
    const { key } = await client.withScopes(["usage:read"]);
    const { data } = await (await manage(test, "/v1/quotas", { key })).json();
    return data.find((one: { resource: string }) => one.resource === resource)?.used;
  };
  const member = (name: string, fields: object = {}) =>
    client.call("", { body: { ...GPUS, gang: { name, size: 3 }, ...fields } });
  /** How many pods each of two gangs got, and what the others were refused for. */
  const createBoth = async (fields: object = {}) => {
    const all = await Promise.all(["a", "b", "a", "b", "a", "b"].map((name) => member(name, fields)));
    const created = all.flatMap(({ status, body }) => (status === 202 ? [body] : []));
    const names = new Set(created.map(({ gang }) => gang?.name));
    const refusals = all.flatMap(({ body: { error } }) => error?.details?.reason ?? error?.code ?? []);
    return { created, gangs: names.size, first: created[0]?.gang?.name ?? "", refusals: new Set(refusals) };
  };

  it("do not share the quota of GPUs: one has all of its pods, and the other one has them after it", async () => {
    await limit(GPU_QUOTA, 16);
    const { created, gangs, first, refusals } = await createBoth();
    expect([created.length, gangs, [...refusals]]).toEqual([3, 1, ["quota_exceeded"]]);
    await Promise.all([round(), round()]);
    expect(await db().gpuDevice.count()).toBe(12);
    const other = first === "a" ? "b" : "a";
    expect((await member(other)).body.error?.message).toBe(
      "12 more l40s GPUs in apac exceed the limit of 16; stop a pod or delete a node group, or ask the operator of svc to raise the limit.",
    );
    for (const { id } of created) {
      await db().pod.update({ where: { id }, data: { status: "ready", startedAt: new Date() } });
      await recordExit(test.app.cloud, `${id}-1`, { endedAt: new Date(), outcome: "complete" });
    }
    for (let i = 0; i < 3; i++) expect((await member(other)).status).toBe(202);
    await round();
    expect(await db().gpuDevice.count()).toBe(12);
  });

  it("count as a whole from their first pod on until they run, also when they start again", async () => {
    await limit(GPU_QUOTA, 16);
    const { body: one } = await member("a");
    expect(await usedOf(GPU_QUOTA)).toBe(12);
    expect((await client.call("", { body: GPUS })).status).toBe(202);
    expect((await client.call("", { body: { ...GPUS, gpu_count: 1 } })).body.error?.code).toBe("quota_exceeded");
    const { body: estimate } = await client.call<{ blocked_by: { code: string } | null }>("/estimate", {
      body: { ...GPUS, gang: { name: "b", size: 3 } },
    });
    expect(estimate.blocked_by?.code).toBe("quota_exceeded");
    await client.call(`/${one.id}/stop`, { method: "POST" });
    expect(await usedOf(GPU_QUOTA)).toBe(4);
    expect((await client.call(`/${one.id}/start`, { body: {} })).status).toBe(200);
    expect(await usedOf(GPU_QUOTA)).toBe(16);
    await client.call(`/${one.id}/stop`, { method: "POST" });
    expect((await client.call("", { body: GPUS })).status).toBe(202);
    expect((await client.call(`/${one.id}/start`, { body: {} })).body.error?.code).toBe("quota_exceeded");
  });

  it("do not share the quota of pods", async () => {
    await limit("pods", 5);
    const { created, gangs, refusals } = await createBoth({ gpu_count: 1 });
    expect([created.length, gangs, [...refusals]]).toEqual([3, 1, ["quota_exceeded"]]);
    expect(await usedOf("pods")).toBe(3);
  });

  it("do not share the quota of volumes", async () => {
    await limit("volume_gb", 5);
    const { created, gangs, refusals } = await createBoth({ volume: { size_gb: 1, mount_path: "/data" } });
    expect([created.length, gangs, [...refusals]]).toEqual([3, 1, ["quota_exceeded"]]);
    expect(await usedOf("volume_gb")).toBe(3);
  });

  it("do not share the GPUs of a reservation", async () => {
    const { tenantId } = client;
    const { id: projectId } = await db().project.findFirstOrThrow({ where: { tenantId } });
    const createdAt = new Date();
    const data = {
      id: newId("rsv", createdAt.getTime()),
      tenantId,
      projectId,
      mode: "test" as const,
      name: "gangs",
      gpu: "l40s",
      region: "apac",
      pool: "apac/l40s",
      count: 16,
      durationDays: 30,
      status: "active" as const,
      priceNanosPerHour: 0n,
      createdAt,
      startsAt: createdAt,
      endsAt: new Date(createdAt.getTime() + 30 * DAY_MS),
    };
    const { id } = await db().reservation.create({ data });
    const { created, gangs, refusals } = await createBoth({ reservation_id: id, gpu: undefined, region: undefined });
    expect([created.length, gangs, [...refusals]]).toEqual([3, 1, ["reservation_full"]]);
  });
});
