import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { estimatePod } from "../../server/cloud/compute/pods/estimate-pod";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { type TestApp, testApp } from "../factories/app";
import { manage } from "../factories/calls";
import { emptyPools, type HttpResult, idleNode, newPodClient, type PodClient } from "../factories/pod-scene";

type Estimate = Awaited<ReturnType<typeof estimatePod.run>>;

/** Each region has two nodes of 8 GPUs. */
const GPUS = { gpu: "l40s", region: "euw" };
const SHAPES = 26;

describe("an estimate of a pod", () => {
  let test: TestApp;
  let [client, other]: (PodClient & { tenantId: string })[] = [];
  const db = () => test.app.cloud.db;
  beforeAll(async () => {
    test = await testApp({ env: { RUNTIME: "auto", ROLE: "web" } });
    await idleNode(test, 100_000);
    [client, other] = await Promise.all([newPodClient(test), newPodClient(test)]);
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    await emptyPools(test);
    await db().reservedDevice.deleteMany();
    await db().reservation.deleteMany();
  });

  const asked = (fields: object, by = client as PodClient): Promise<HttpResult<Estimate>> =>
    by.call<Estimate>("/estimate", { body: fields });
  async function estimate(fields: object): Promise<Estimate> {
    const { status, body } = await asked(fields);
    expect(body).not.toHaveProperty("error");
    expect(status).toBe(200);
    return body;
  }
  const create = (fields: object): Promise<HttpResult<Pod>> =>
    (client as PodClient).call("", { body: { image: "alpine", ...fields } });
  const theirs = (fields: object) => (other as PodClient).create({ image: "alpine", ...GPUS, ...fields });
  const placed = async ({ id }: Pod) => (await db().podRun.count({ where: { podId: id, nodeId: null } })) === 0;
  const quotaOf = (resource: string, limit: number) => {
    const of = { tenantId: client?.tenantId ?? "", resource };
    return db().quota.upsert({
      where: { tenantId_resource: of },
      create: { ...of, limit, setAt: new Date() },
      update: { limit },
    });
  };
  async function reserve(by = client): Promise<string> {
    const body = { ...GPUS, count: 6, duration: "30d" };
    const response = await manage(test, "/v1/reservations", { key: by?.key ?? "", body });
    return ((await response.json()) as { id: string }).id;
  }

  it("says what the creation right after it does, with the same sentence, for shapes of all kinds", async () => {
    await quotaOf("gpus_l40s_euw", 20);
    await theirs({ gpu_count: 3, spot: true });
    const reservation = await reserve();
    await db().gpuNode.updateMany({ where: { pool: "use/l40s", node: "l40s-2" }, data: { cordonedAt: new Date() } });
    const chosen = randomOf(7);
    const outcomes = new Set<string>();
    for (let i = 0; i < SHAPES; i++) {
      const shape = shapeOf(chosen, reservation);
      const { fits_now, blocked_by, expected_wait, price } = await estimate(shape);
      const { status, body: pod } = await create(shape);
      const made = status === 202 ? await db().pod.findUniqueOrThrow({ where: { id: pod.id } }) : undefined;
      const message = made ? (made.reasonText ?? undefined) : pod.error?.message;
      const code = made ? made.reasonCode : (pod.error?.details?.reason ?? pod.error?.code);
      expect([shape, fits_now, blocked_by?.message]).toEqual([shape, made ? await placed(pod) : false, message]);
      expect(blocked_by?.code ?? null).toBe(code);
      if (made) expect(price).toMatchObject({ per_hour: pod.price_per_hour, currency: pod.currency });
      if (fits_now) expect(expected_wait).toMatchObject({ seconds: 0, samples: 0 });
      outcomes.add(blocked_by?.code ?? "fits");
    }
    // Otherwise the shapes would prove little.
    expect([...outcomes].sort()).toEqual(["fits", "no_gpus", "no_memory", "quota_exceeded", "reservation_full"]);
  });

  it("has shapes that fit, and counts the notice of spot pods as the wait", async () => {
    await theirs({ gpu_count: 8, spot: true });
    await theirs({ gpu_count: 5 });
    const before = [await db().gpuPool.findMany(), await db().pod.count()];
    const blocked = await estimate({ ...GPUS, gpu_count: 4 });
    expect(blocked).toMatchObject({ fits_now: false, blocked_by: { code: "no_gpus" } });
    expect(blocked.expected_wait).toMatchObject({ seconds: 30, samples: 0 });
    expect(blocked.nearest_shapes.map(({ note }) => note)).toEqual([
      "The same in apac instead of euw",
      "The same in use instead of euw",
      "The same with 3 of 4 GPUs",
    ]);
    // Nothing was written, not even the nodes of pools that were never used.
    expect([await db().gpuPool.findMany(), await db().pod.count()]).toEqual(before);
    for (const { note: _, ...shape } of blocked.nearest_shapes) {
      const { fits_now, price } = await estimate(shape);
      expect(fits_now).toBe(true);
      expect(price.purchases.map(({ purchase }) => purchase)).toEqual([
        "on_demand",
        "spot",
        "reserved_30d",
        "reserved_365d",
      ]);
    }
  });

  it.each([
    ["all its pods", 0],
    ["the pods that it lacks, with those that wait", 1],
  ])("of a gang counts %s", async (_, existing) => {
    const gang = { name: `gang-${existing}`, size: 2 };
    const member = { ...GPUS, gpu_count: 8, gang };
    const pods: Pod[] = [];
    for (let i = 0; i < existing; i++) pods.push((await create(member)).body);
    expect(await estimate(member)).toMatchObject({ fits_now: true, price: { pods: 2 } });
    await theirs({ gpu_count: 1 });
    const blocked = await estimate(member);
    expect(blocked).toMatchObject({ fits_now: false, expected_wait: { samples: 0 }, nearest_shapes: [] });
    expect(blocked.expected_wait?.basis).toContain("for its 2 pods together");
    while (pods.length < 2) pods.push((await create(member)).body);
    await maintainPods({ ...test.app.cloud, gpuPools: new GpuPools() });
    expect(await Promise.all(pods.map(placed))).toEqual([false, false]);
    expect((await (client as PodClient).get(pods[0]?.id ?? "")).status_reason).toEqual(blocked.blocked_by);
  });

  it("refuses wrong input as the creation does, and counts quotas of pods as what blocks it", async () => {
    for (const wrong of [
      { gpu_count: 2 },
      { gpu: "gb200", gpu_count: 8 },
      { auto_resume: true },
      { cpu: 0 },
      { image: "UPPER/case" },
      { image: "alpine", nonsense: 1 },
      { project: "none" },
      { env: { TOKEN: { secret: "none" } } },
      { reservation_id: await reserve(other) },
    ]) {
      const { status, body } = await create(wrong);
      expect([400, 404, 422]).toContain(status);
      const estimated = await asked(wrong);
      expect([estimated.status, { ...estimated.body.error, request_id: "" }]).toEqual([
        status,
        { ...body.error, request_id: "" },
      ]);
    }
    expect((await asked({}, other as PodClient)).body).toMatchObject({ fits_now: true });
    await quotaOf("pods", 0);
    expect(await estimate(GPUS)).toMatchObject({
      fits_now: false,
      blocked_by: { code: "quota_exceeded" },
      expected_wait: null,
      nearest_shapes: [],
    });
    await db().quota.deleteMany();
  });
});

/** The same numbers each time (mulberry32), below a bound. */
function randomOf(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

function shapeOf(below: (bound: number) => number, reservation: string): object {
  const memory_mb = below(6) === 0 ? 90_000 : 512 * (1 + below(8));
  const kind = below(8);
  if (kind === 0) return { cpu: 1 + below(8), memory_mb };
  const gpus = { gpu_count: 1 + below(4), cpu: 1 + below(96), memory_mb };
  if (kind < 3) return { reservation_id: reservation, ...gpus };
  return { gpu: "l40s", region: ["euw", "euw", "use"][below(3)], ...gpus, ...(kind === 3 && { spot: true }) };
}
