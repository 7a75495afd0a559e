import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { explainPod } from "../../server/cloud/compute/pods/explain-pod";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { makeTenant, type TestApp, testApp } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { idleNode, PodClient } from "../factories/pod-scene";

type Explanation = Awaited<ReturnType<typeof explainPod.run>>;

/** Each region has two nodes of 8 GPUs. */
const GPUS = { image: "alpine", gpu: "l40s", region: "use" };
/** Seconds until a run began that had not waited for capacity. */
const AT_ONCE = 5000;

describe("a pod that waits explains itself", () => {
  let test: TestApp;
  let [client, other]: PodClient[] = [];
  const db = () => test.app.cloud.db;
  beforeAll(async () => {
    test = await testApp({ env: { RUNTIME: "auto", ROLE: "web" } });
    await idleNode(test, 100_000);
    [client, other] = await Promise.all([newClient(), newClient()]);
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    await db().gpuNomination.deleteMany();
    await db().gpuDevice.deleteMany();
    await db().reservedDevice.deleteMany();
    await db().reservation.deleteMany();
    await db().podTimelineEntry.deleteMany();
    await db().podRun.deleteMany();
    await db().pod.deleteMany();
    await db().gpuNode.deleteMany();
    await db().gpuPool.deleteMany();
    test.app.cloud.gpuPools = new GpuPools();
  });

  async function newClient(): Promise<PodClient> {
    const ctx = await makeTenant(test);
    await raiseRate(test, ctx.tenantId);
    return new PodClient(test, await platformKey(ctx, { mode: "test", scopes: ["pods:read", "pods:write"] }));
  }
  const create = (fields: object) => (client as PodClient).create({ ...GPUS, ...fields });
  const theirs = (fields: object) => (other as PodClient).create({ ...GPUS, ...fields });
  async function explain({ id }: Pod): Promise<Explanation> {
    const { status, body } = await (client as PodClient).call<Explanation>(`/${id}/explanation`);
    expect(status).toBe(200);
    return body;
  }
  const isPlaced = async ({ id }: Pod) => (await db().podRun.count({ where: { podId: id, nodeId: null } })) === 0;
  /** Creates a pod of each shape, one after the other, and returns whether it was placed at once. */
  async function tried(shapes: Explanation["nearest_shapes"]): Promise<boolean[]> {
    const placed: boolean[] = [];
    for (const { note: _, gpu, region, gpu_count, ...amounts } of shapes) {
      const gpus = gpu === null ? {} : { gpu, region, gpu_count };
      const pod = await (client as PodClient).create({ image: "alpine", ...gpus, ...amounts });
      placed.push(await isPlaced(pod));
      await db().gpuDevice.deleteMany({ where: { runId: `${pod.id}-1` } });
      await db().gpuPool.updateMany({ data: { version: { increment: 1 } } });
      await db().podRun.delete({ where: { id: `${pod.id}-1` } });
      test.app.cloud.gpuPools = new GpuPools();
    }
    return placed;
  }

  it("with what blocks it, its place, and shapes that are placed at once", async () => {
    await theirs({ gpu_count: 8 });
    await theirs({ gpu_count: 5 });
    const [first, second] = [await create({ gpu_count: 4 }), await create({ gpu_count: 4, cpu: 2 })];
    const pools = await db().gpuPool.findMany();
    const explained = await explain(second);
    expect(explained).toMatchObject({
      pod_id: second.id,
      status: "pending",
      queue_position: 2,
      expected_wait: null,
      blocked_by: second.status_reason,
      nearest_shapes: [
        { gpu: "l40s", gpu_count: 4, region: "apac", cpu: 2, memory_mb: 512, note: "The same in apac instead of use" },
        { gpu_count: 4, region: "euw" },
        { gpu_count: 3, region: "use", note: "The same with 3 of 4 GPUs" },
      ],
    });
    // Nothing was written, not even the nodes of pools that were never used.
    expect(await db().gpuPool.findMany()).toEqual(pools);
    expect(await db().gpuDevice.count()).toBe(13);
    expect(await tried(explained.nearest_shapes)).toEqual([true, true, true]);
    // The last known end is that of lifetimes.
    expect(await explain(first)).toMatchObject({ queue_position: 1, expected_wait: { samples: 0 } });
  });

  it("without GPUs that are reserved, on cordoned nodes or kept for other pods", async () => {
    await theirs({ gpu_count: 8 });
    await theirs({ gpu_count: 4 });
    const waiting = await create({ gpu_count: 8 });
    await theirs({ region: "apac" });
    await db().gpuNode.updateMany({ where: { pool: "apac/l40s", node: "l40s-2" }, data: { cordonedAt: new Date() } });
    await db().gpuNode.updateMany({ where: { pool: "apac/l40s", node: "l40s-1" }, data: { cordonedAt: new Date() } });
    const body = { gpu: "l40s", region: "euw", count: 12, duration: "30d" };
    expect((await manage(test, "/v1/reservations", { key: other?.key ?? "", body })).status).toBe(201);
    const free = await db().gpuNode.findFirstOrThrow({ where: { pool: "use/l40s" }, orderBy: { node: "desc" } });
    const held = await db().gpuDevice.findMany({ where: { pool: "use/l40s", node: free.node } });
    const [kept] = Array.from({ length: 8 }, (_, i) => i).filter((i) => !held.some(({ device }) => device === i));
    const [runId, node] = held.length < 8 ? ["pod_x-1", free.node] : ["pod_x-1", "l40s-1"];
    const devices = held.length < 8 ? [kept ?? 0] : [7];
    await db().gpuNomination.createMany({ data: devices.map((device) => ({ pool: "use/l40s", node, device, runId })) });
    const { nearest_shapes: shapes } = await explain(waiting);
    expect(shapes).toMatchObject([{ region: "use", gpu_count: 3 }]);
    expect(await tried(shapes)).toEqual([true]);
  });

  it("with the end of the spot pods that make room for it", async () => {
    const spot = await theirs({ gpu_count: 8, spot: true });
    await theirs({ gpu_count: 8 });
    const startedAt = new Date();
    await db().podRun.update({ where: { id: `${spot.id}-1` }, data: { startedAt, observedAt: startedAt } });
    await db().pod.update({ where: { id: spot.id }, data: { status: "ready", startedAt } });
    const waiting = await create({ gpu_count: 8 });
    await maintainPods({ ...test.app.cloud, gpuPools: new GpuPools() });
    const { blocked_by, expected_wait } = await explain(waiting);
    expect(blocked_by?.code).toBe("reclaiming_spot");
    expect(expected_wait).toMatchObject({ samples: 0, basis: expect.stringContaining("Pods that are ending") });
    expect(expected_wait?.seconds).toBeGreaterThan(0);
    expect(expected_wait?.seconds).toBeLessThanOrEqual(30);
  });

  it("with the median of earlier waits in its pool", async () => {
    await theirs({ gpu_count: 8 });
    await theirs({ gpu_count: 8 });
    const waiting = await create({ gpu_count: 8 });
    expect((await explain(waiting)).expected_wait?.samples).toBe(0);
    const at = Date.now();
    const createdAt = new Date(at - 10_000);
    await db().podRun.update({ where: { id: `${waiting.id}-1` }, data: { createdAt } });
    for (const seconds of [3600, 7200, 10_800, 1, AT_ONCE]) {
      const past = await theirs({ gpu_count: 1, region: "use" });
      const run = { createdAt: new Date(at - seconds * 1000), nodeId: "m", pool: "use/l40s", endedAt: new Date(at) };
      await db().podRun.update({ where: { id: `${past.id}-1` }, data: run });
      const placed = { podId: past.id, number: 9, run: 1, type: "placed", message: "", at: new Date(at) };
      if (seconds === AT_ONCE) await db().podTimelineEntry.deleteMany({ where: { podId: past.id, type: "waiting" } });
      await db().podTimelineEntry.create({ data: placed });
      await db().pod.update({ where: { id: past.id }, data: { status: "stopped" } });
    }
    // Neither a shorter wait is a sample, nor a run that was placed without waiting.
    const { expected_wait } = await explain(waiting);
    expect(expected_wait?.samples).toBe(3);
    expect(expected_wait?.seconds).toBeGreaterThan(7100);
    expect(expected_wait?.seconds).toBeLessThanOrEqual(7190);
  });

  it("without GPUs with the memory that is free", async () => {
    const waiting = await (client as PodClient).create({ image: "alpine", memory_mb: 1_000_000 });
    const explained = await explain(waiting);
    expect(explained).toMatchObject({
      blocked_by: { code: "no_memory" },
      queue_position: 1,
      expected_wait: null,
      nearest_shapes: [{ gpu: null, gpu_count: 0, region: null, memory_mb: 100_000 }],
    });
    expect(await tried(explained.nearest_shapes)).toEqual([true]);
  });

  it("not if it does not wait, and not to others", async () => {
    const placed = await create({ gpu_count: 1 });
    expect(await explain(placed)).toEqual({
      pod_id: placed.id,
      status: "pending",
      blocked_by: null,
      nearest_shapes: [],
      expected_wait: null,
      queue_position: null,
      checked_at: expect.any(String),
    });
    await db().pod.update({ where: { id: placed.id }, data: { status: "failed", reasonCode: "x", reasonText: "X." } });
    expect(await explain(placed)).toMatchObject({ status: "failed", blocked_by: null, queue_position: null });
    expect((await (other as PodClient).call(`/${placed.id}/explanation`)).status).toBe(404);
    expect((await (client as PodClient).call("/pod_none/explanation")).status).toBe(404);
  });
});
