import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { recordExit } from "../../server/cloud/compute/pods/record-run";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { type TestApp, testApp } from "../factories/app";
import { emptyPools, idleNode, newPodClient, type PodClient } from "../factories/pod-scene";

const POOL = "apac/l40s";
/** The pool has two nodes of 8 GPUs. */
const GPUS = { image: "alpine", gpu: "l40s", region: "apac" };
const HOUR_MS = 3600 * 1000;

describe("a pool that is full of spot pods", () => {
  let test: TestApp;
  let [spotClient]: PodClient[] = [];
  let client: PodClient & { tenantId: string };
  const db = () => test.app.cloud.db;
  beforeAll(async () => {
    test = await testApp({ env: { RUNTIME: "auto", ROLE: "web" } });
    await idleNode(test);
    [spotClient, client] = await Promise.all([newPodClient(test), newPodClient(test)]);
  });
  afterAll(() => test.stop());
  beforeEach(() => emptyPools(test));

  /** Each call is another process, which has remembered nothing. */
  const round = () => maintainPods({ ...test.app.cloud, gpuPools: new GpuPools() });
  const runOf = ({ id, runs }: Pod) => `${id}-${runs}`;
  const end = (pod: Pod) => recordExit(test.app.cloud, runOf(pod), { endedAt: new Date(), outcome: "complete" });
  const heldBy = async (pod: Pod) =>
    (await db().gpuDevice.findMany({ where: { runId: runOf(pod) }, orderBy: { device: "asc" } })).map(
      ({ node, device }) => `${node}/${device}`,
    );

  async function spot(gpu_count: number, hoursOfWork?: number): Promise<Pod> {
    const pod = await (spotClient as PodClient).create({ ...GPUS, gpu_count, spot: true, auto_resume: true });
    if (hoursOfWork === undefined) return pod;
    const startedAt = new Date(Date.now() - hoursOfWork * HOUR_MS);
    await db().podRun.update({ where: { id: runOf(pod) }, data: { startedAt, observedAt: new Date() } });
    await db().pod.update({ where: { id: pod.id }, data: { status: "ready", startedAt } });
    return pod;
  }
  const onDemand = (gpu_count: number) => client.create({ ...GPUS, gpu_count });
  const statusOf = async ({ id }: Pod) => (await db().pod.findUniqueOrThrow({ where: { id } })).status;

  it("gives the one that loses least notice, and its GPUs go to the pod that waits, in whichever process", async () => {
    const [old, young, ...others] = [await spot(4, 9), await spot(4, 1), await spot(4, 5), await spot(4, 7)] as const;
    const waiting = await onDemand(4);
    expect(waiting).toMatchObject({ status: "pending", status_reason: { code: "no_gpus" } });
    await round();
    expect(await Promise.all([old, young, ...others].map(statusOf))).toEqual(["ready", "reclaiming", "ready", "ready"]);
    const noticed = await (spotClient as PodClient).get(young.id);
    expect(Date.parse(noticed.reclaim?.ends_at ?? "") - Date.parse(noticed.reclaim?.notice_at ?? "")).toBe(30_000);
    expect(await client.get(waiting.id)).toMatchObject({
      status_reason: { code: "reclaiming_spot", message: expect.stringContaining(young.allocation?.node ?? "") },
    });
    await round();
    expect(await db().pod.count({ where: { status: "reclaiming" } })).toBe(1);
    const devices = await heldBy(young);
    await end(young);
    // What became free is kept for it: neither spot nor on-demand pods get it.
    expect((await spot(4)).allocation).toBeNull();
    expect((await onDemand(1)).allocation).toBeNull();
    await round();
    expect(await heldBy(waiting)).toEqual(devices);
    expect(await db().gpuNomination.count({ where: { runId: runOf(waiting) } })).toBe(0);
  });

  it("has notice given by a rehearsal to a pod and its gang, once, and to no pod that holds nothing or is not spot", async () => {
    const rehearse = ({ id }: Pod, by = spotClient as PodClient) => by.call(`/${id}/reclaim`, { method: "POST" });
    const refused = async (pod: Pod, by?: PodClient) => {
      const { status, body } = await rehearse(pod, by);
      return [status, body.error?.details?.reason];
    };
    const [one, starting] = [await spot(4, 1), await spot(2)];
    const { body } = await rehearse(one);
    expect(body).toMatchObject({ status: "reclaiming", status_reason: { code: "capacity_needed" } });
    expect(Date.parse(body.reclaim?.ends_at ?? "") - Date.parse(body.reclaim?.notice_at ?? "")).toBe(30_000);
    expect((await rehearse(one)).body.reclaim).toEqual(body.reclaim);
    await end(one);
    expect(await (spotClient as PodClient).get(one.id)).toMatchObject({
      status: "pending",
      runs: 2,
      status_reason: { code: "spot_reclaimed", message: "A rehearsal of a reclaim was requested." },
    });
    expect((await rehearse(starting)).body).toMatchObject({ status: "pending", runs: 2, allocation: null });
    expect(await refused(starting)).toEqual([409, "not_placed"]);
    const ended = await spot(1, 1);
    await end(ended);
    expect(await refused(ended)).toEqual([409, "not_placed"]);
    expect(await refused(await onDemand(1), client)).toEqual([409, "not_spot"]);
    expect(await refused(ended, client)).toEqual([404, undefined]);
    await db().pod.update({ where: { id: ended.id }, data: { mode: "live" } });
    const live = await newPodClient(test, { mode: "live" });
    await db().pod.update({ where: { id: ended.id }, data: { tenantId: live.tenantId } });
    const { id: projectId } = await db().project.findFirstOrThrow({ where: { tenantId: live.tenantId } });
    await db().pod.update({ where: { id: ended.id }, data: { projectId } });
    expect(await refused(ended, live)).toEqual([409, "live_mode"]);
    const gang = { name: "rehearsed", size: 2 };
    const members = [];
    for (let i = 0; i < 2; i++)
      members.push(await (spotClient as PodClient).create({ ...GPUS, gpu_count: 2, spot: true, gang }));
    await round();
    const ids = members.map(({ id }) => id);
    await db().podRun.updateMany({ where: { podId: { in: ids } }, data: { startedAt: new Date() } });
    await db().pod.updateMany({ where: { id: { in: ids } }, data: { status: "ready", startedAt: new Date() } });
    await rehearse(members[0] as Pod);
    expect(await Promise.all(members.map(statusOf))).toEqual(["reclaiming", "reclaiming"]);
  });

  it("takes GPUs at once from one that does not run yet, which waits again", async () => {
    const [running, starting] = [await spot(8, 0.01), await spot(8)];
    const waiting = await onDemand(8);
    await round();
    expect(await statusOf(running)).toBe("ready");
    const again = await (spotClient as PodClient).get(starting.id);
    expect(again).toMatchObject({ status: "pending", runs: 2, allocation: null, metered_seconds: 0 });
    await round();
    expect(await client.get(waiting.id)).toMatchObject({ status_reason: null });
    expect(await heldBy(waiting)).toHaveLength(8);
  });

  it("does not change for a pod that no node has memory for", async () => {
    const pods = [await spot(8, 1), await spot(8, 2)];
    const waiting = await client.create({ ...GPUS, gpu_count: 8, memory_mb: 1_000_000 });
    await round();
    expect(await Promise.all(pods.map(statusOf))).toEqual(["ready", "ready"]);
    expect((await client.get(waiting.id)).status_reason?.code).toBe("no_memory");
    expect(await db().gpuNomination.count()).toBe(0);
  });

  it("gives what becomes free to tenants in turns, not to the one that waits longest with many pods", async () => {
    const [first] = [await spot(8, 1), await spot(8, 2)];
    const waiting = [await spot(4), await spot(4), await spot(4)] as const;
    const later = await client.create({ ...GPUS, gpu_count: 4, spot: true });
    await end(first);
    await round();
    expect((await Promise.all([...waiting, later].map(heldBy))).map(({ length }) => length)).toEqual([4, 0, 0, 4]);
  });

  it("gives them turns in proportion to the weights that an operator sets", async () => {
    const third = await newPodClient(test);
    const [first] = [await third.create({ ...GPUS, gpu_count: 8 }), await third.create({ ...GPUS, gpu_count: 8 })];
    await setQuota(test.app.account, { tenant_id: client.tenantId, resource: "gpu_share_weight", limit: 3 });
    const waiting: Pod[] = [];
    for (let i = 0; i < 4; i++) waiting.push(await spot(2));
    for (let i = 0; i < 4; i++) waiting.push(await client.create({ ...GPUS, gpu_count: 2, spot: true }));
    await end(first);
    await round();
    const held = (await Promise.all(waiting.map(heldBy))).map(({ length }) => length);
    expect(held).toEqual([2, 0, 0, 0, 2, 2, 2, 0]);
    await setQuota(test.app.account, { tenant_id: client.tenantId, resource: "gpu_share_weight", limit: null });
  });

  it("does not change while on-demand pods hold what another one needs", async () => {
    const [first, second] = [await onDemand(8), await onDemand(8)];
    for (const { id } of [first, second]) await db().pod.update({ where: { id }, data: { status: "ready" } });
    const waiting = await onDemand(1);
    await round();
    expect(await statusOf(first)).toBe("ready");
    expect((await client.get(waiting.id)).status_reason?.code).toBe("no_gpus");
  });

  it("keeps nothing for a pod that is deleted, and chooses again when the node is cordoned", async () => {
    const [a, b] = [await spot(8, 1), await spot(8, 2)];
    const waiting = await onDemand(8);
    await round();
    expect(await Promise.all([a, b].map(statusOf))).toEqual(["reclaiming", "ready"]);
    const node = a.allocation?.node ?? "";
    const { version } = await db().gpuPool.update({ where: { pool: POOL }, data: { version: { increment: 1 } } });
    await db().gpuNode.update({
      where: { pool_node: { pool: POOL, node } },
      data: { version, cordonedAt: new Date() },
    });
    await round();
    expect(await Promise.all([a, b].map(statusOf))).toEqual(["reclaiming", "reclaiming"]);
    const kept = await db().gpuNomination.findMany();
    expect(new Set(kept.map((one) => `${one.runId} ${one.node}`))).toEqual(
      new Set([`${runOf(waiting)} ${b.allocation?.node}`]),
    );
    await client.call(`/${waiting.id}`, { method: "DELETE" });
    expect(await db().gpuNomination.count()).toBe(0);
  });
});
