import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { recordExit } from "../../server/cloud/compute/pods/record-run";
import type { GpuPoolPicture } from "../../server/cloud/compute/pools/pool";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { type TestApp, testApp } from "../factories/app";
import { manage } from "../factories/calls";
import { emptyPools, idleNode, newPodClient, type PodClient } from "../factories/pod-scene";

/** The pool has two nodes of 8 GPUs. */
const GPUS = { image: "alpine", gpu: "l40s", region: "apac" };

describe("pods of a gang", () => {
  let test: TestApp;
  let [client, other]: (PodClient & { tenantId: string })[] = [];
  const db = () => test.app.cloud.db;
  beforeAll(async () => {
    test = await testApp({ env: { RUNTIME: "auto", ROLE: "web" } });
    await idleNode(test);
    [client, other] = await Promise.all([newPodClient(test), newPodClient(test)]);
  });
  afterAll(() => test.stop());
  beforeEach(() => emptyPools(test));

  /** Each call is another process, which has remembered nothing. */
  const round = () => maintainPods({ ...test.app.cloud, gpuPools: new GpuPools() });
  /** A pod runs, and its program ends. */
  const end = async ({ id, runs }: Pod) => {
    await db().pod.update({ where: { id }, data: { status: "ready", startedAt: new Date() } });
    await recordExit(test.app.cloud, `${id}-${runs}`, { endedAt: new Date(), outcome: "complete" });
  };
  const member = (gang: { name: string; size: number }, fields: object = {}, by = client as PodClient) =>
    by.create({ ...GPUS, gpu_count: 8, gang, ...fields });
  const refused = async (fields: object) => {
    const { status, body } = await (client as PodClient).call("", { body: { ...GPUS, ...fields } });
    return [status, body.error?.param, body.error?.details?.reason];
  };
  const held = (pods: Pod[]) =>
    Promise.all(pods.map(({ id, runs }) => db().gpuDevice.count({ where: { runId: `${id}-${runs}` } })));

  it("wait until all of them exist, and are placed together then", async () => {
    const gang = { name: "four", size: 4 };
    const pods = [];
    for (let i = 0; i < 3; i++) pods.push(await member(gang, { gpu_count: 4 }));
    await round();
    const waiting = await (client as PodClient).get(pods[0]?.id ?? "");
    expect(waiting).toMatchObject({ gang, status: "pending", allocation: null });
    expect(waiting.status_reason).toEqual({
      code: "gang_incomplete",
      message: "3 of the 4 pods of the gang four wait or run; they are placed together.",
    });
    pods.push(await member(gang, { gpu_count: 4 }));
    expect(await held(pods)).toEqual([0, 0, 0, 0]);
    await round();
    expect(await held(pods)).toEqual([4, 4, 4, 4]);
    expect(await (client as PodClient).get(waiting.id)).toMatchObject({ status_reason: null });
  });

  it.each([
    [true, "The gang needs 2 pods with 8 GPUs, 1 core and 512 MiB at once; this pool has room for 1 at present."],
    [false, "The gang needs 16 GPUs at once. On-demand pods can have 14 more GPUs of this pool; "],
  ])("hold no GPU while one of them fits nowhere (spot: %s)", async (spot, why) => {
    const single = await (client as PodClient).create({ ...GPUS, gpu_count: 2, spot });
    const gang = { name: "two", size: 2 };
    const pods = [await member(gang, { spot }), await member(gang, { spot })];
    await round();
    expect(await held(pods)).toEqual([0, 0]);
    const { status_reason: reason } = await (client as PodClient).get(pods[0]?.id ?? "");
    expect(reason).toMatchObject({ code: "no_gpus", message: expect.stringContaining(why) });
    await end(single);
    await round();
    expect(await held(pods)).toEqual([8, 8]);
  });

  it("of two gangs for the same GPUs are placed whole or not at all, by many processes at once", async () => {
    const gang = { name: "same", size: 2 };
    const pods = await Promise.all([client, other, client, other].map((by) => member(gang, {}, by as PodClient)));
    await Promise.all(Array.from({ length: 6 }, round));
    const [a = [], b = []] = [await held(pods.filter((_, i) => i % 2 === 0)), await held(pods.filter((_, i) => i % 2))];
    expect([a, b].sort()).toEqual([
      [0, 0],
      [8, 8],
    ]);
  });

  it("that start again while the others run are placed by themselves", async () => {
    const gang = { name: "again", size: 2 };
    const [one, two] = [await member(gang), await member(gang)];
    await round();
    await end(one);
    expect((await (client as PodClient).call(`/${one.id}/start`, { body: {} })).body.runs).toBe(2);
    await round();
    expect(await held([{ ...one, runs: 2 }, two])).toEqual([8, 8]);
  });

  it("are alike, and no more than the gang has", async () => {
    const gang = { name: "alike", size: 2 };
    await member(gang);
    expect(await refused({ gpu_count: 4, gang })).toEqual([409, "gpu_count", "gang_differs"]);
    expect(await refused({ gpu_count: 8, gang: { ...gang, size: 3 } })).toEqual([409, "gang.size", "gang_differs"]);
    expect(await refused({ gpu_count: 8, gang, spot: true })).toEqual([409, "spot", "gang_differs"]);
    await member(gang);
    expect(await refused({ gpu_count: 8, gang })).toEqual([409, "gang", "gang_complete"]);
    const created = await Promise.allSettled(Array.from({ length: 5 }, () => member({ name: "race", size: 2 })));
    expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await refused({ gpu: undefined, region: undefined, gang })).toEqual([400, "gang", undefined]);
    expect(await refused({ gang: { name: "x", size: 1 } })).toEqual([400, "gang.size", undefined]);
  });

  describe("that has waited for 5 minutes", () => {
    const gang = { name: "kept", size: 2 };
    /** Each of them as it would be if it had waited. */
    const waited = async (fields: object = {}) => {
      const pods = [await member(gang, fields), await member(gang, fields)];
      const createdAt = new Date(Date.now() - 6 * 60_000);
      await db().podRun.updateMany({ where: { podId: { in: pods.map(({ id }) => id) } }, data: { createdAt } });
      return pods;
    };
    const picture = async (by = client as PodClient): Promise<GpuPoolPicture> => {
      const path = "/v1/gpu-pools/nodes?region=apac&gpu=l40s";
      return (await manage(test, path, { key: by.key })).json();
    };
    const waitOf = async ({ id }: Pod) => {
      const { body } = await (client as PodClient).call<{ expected_wait: object | null }>(`/${id}/explanation`);
      return body.expected_wait;
    };
    const reasonOf = async ({ id }: Pod) => (await (client as PodClient).get(id)).status_reason;

    it("starts although small pods take turns with all GPUs, and no GPU is given twice", async () => {
      const below = randomOf(3);
      const running: Pod[] = [];
      const small = async () => {
        const pod = await (other as PodClient).create({ ...GPUS, gpu_count: 2 + below(3), spot: below(4) === 0 });
        running.push(pod);
      };
      for (let i = 0; i < 7; i++) await small();
      await round();
      const pods = await waited();
      let steps = 0;
      for (; (await held(pods)).includes(0); steps++) {
        expect(steps).toBeLessThan(30);
        const placed = await db().podRun.findMany({ where: { endedAt: null, nodeId: { not: null } } });
        const ended = running.filter(({ id }) => placed.some(({ podId }) => podId === id));
        const one = ended[below(ended.length)];
        if (one) await end((await (other as PodClient).get(one.id)) as Pod);
        // What has become free is taken at once by pods that have waited for less, where it is not kept.
        await small();
        await round();
      }
      expect(await held(pods)).toEqual([8, 8]);
      expect(await db().gangKeep.count()).toBe(0);
    });

    it("keeps what others then leave, says so, and takes it from spot pods with one notice", async () => {
      const [one, two] = [await by(other, 8, false), await by(other, 6, false)];
      const spot = await by(other, 2, true);
      await db().pod.update({ where: { id: spot.id }, data: { status: "ready", startedAt: new Date() } });
      const pods = await waited();
      await round();
      const node = one.allocation?.node ?? "";
      expect((await reasonOf(pods[0] as Pod))?.message).toMatch(
        /GPUs of l40s-\d, l40s-\d are kept for it as they become free; 14 more GPUs are needed there\.$/,
      );
      expect(await picture()).toMatchObject({
        gang_keep: { gang: "kept", missing_gpus: 14, nodes: [{ gpus: 8 }, { gpus: 8 }] },
      });
      expect((await picture(other)).gang_keep).toMatchObject({ gang: null });
      // The pods of 30 days end at that time, and then the spot pod gets notice.
      const seconds = expect.closeTo(30 * 86_400 + 60, -3);
      const basis = expect.stringContaining("as soon as its 2 pods fit together without them");
      expect(await waitOf(pods[1] as Pod)).toEqual({ seconds, basis, samples: 0 });
      await end(one);
      const blocked = await by(other, 1, false);
      expect(blocked).toMatchObject({ allocation: null, status_reason: { code: "no_gpus" } });
      expect(blocked.status_reason?.message).toContain("or a gang that waits");
      const asked = { body: { ...GPUS, gpu_count: 1 } };
      const { body } = await (other as PodClient).call<{ blocked_by: object }>("/estimate", asked);
      expect(body.blocked_by).toEqual(blocked.status_reason);
      // It is given back when the gang needs it.
      expect((await by(other, 8, true)).allocation).toMatchObject({ node });
      await end(two);
      await round();
      expect(await reasonOf(pods[1] as Pod)).toMatchObject({ code: "reclaiming_spot" });
      expect(await waitOf(pods[0] as Pod)).toMatchObject({ basis: expect.stringContaining("Pods that are ending") });
      expect((await (other as PodClient).get(spot.id)).status).toBe("reclaiming");
      await recordExit(test.app.cloud, `${spot.id}-1`, { endedAt: new Date(), outcome: "fail" });
      await round();
      expect(await held(pods)).toEqual([8, 8]);
    });

    it("of spot pods leaves on-demand pods alone, and a gang that misses a pod has nothing kept", async () => {
      const first = await by(other, 8, true);
      await by(other, 2, true);
      const pods = await waited({ spot: true });
      await round();
      expect((await picture()).gang_keep?.missing_gpus).toBe(10);
      await end(first);
      const late = await by(other, 1, true);
      expect(late.allocation).toBeNull();
      expect((await by(other, 1, false)).allocation).not.toBeNull();
      // It ends before the gang can start in any case.
      await db().pod.update({ where: { id: late.id }, data: { expiresAt: new Date(Date.now() + 600_000) } });
      await round();
      expect(await held([late])).toEqual([1]);
      await (client as PodClient).call(`/${pods[0]?.id}/stop`, { method: "POST" });
      await round();
      expect((await picture()).gang_keep).toBeNull();
    });
  });

  it("of spot pods are reclaimed as a whole, with one notice and a checkpoint each, and resume as a whole", async () => {
    const fields = { spot: true, auto_resume: true };
    const gang = { name: "spot", size: 2 };
    const pods = [await member(gang, fields), await member(gang, fields)];
    expect(await refused({ gpu_count: 8, gang, spot: true })).toEqual([409, "auto_resume", "gang_differs"]);
    await round();
    const ids = pods.map(({ id }) => id);
    const startedAt = new Date(Date.now() - 3_600_000);
    await db().podRun.updateMany({ where: { podId: { in: ids } }, data: { startedAt } });
    await db().pod.updateMany({ where: { id: { in: ids } }, data: { status: "ready", startedAt } });
    const needs = await by(other, 1, false);
    await round();
    const now = await Promise.all(ids.map((id) => (client as PodClient).get(id)));
    expect(now.map(({ status }) => status)).toEqual(["reclaiming", "reclaiming"]);
    const [one, two] = now.map(({ reclaim }) => reclaim);
    expect(two).toEqual(one);
    expect(Date.parse(one?.ends_at ?? "") - Date.parse(one?.notice_at ?? "")).toBe(30_000);
    const announced = { type: "pod.reclaim_announced", data: { path: ["id"], string_contains: "pod_" } };
    expect(await db().event.count({ where: { ...announced, tenantId: client?.tenantId ?? "" } })).toBe(2);
    const endAt = async (i: number) =>
      recordExit(test.app.cloud, `${ids[i]}-1`, { endedAt: new Date(), outcome: "fail", hasFiles: true });
    await endAt(0);
    await round();
    // One alone is not placed, although the GPUs that it had are free.
    expect(await (client as PodClient).get(ids[0] ?? "")).toMatchObject({
      status: "pending",
      runs: 2,
      allocation: null,
      status_reason: { code: "gang_incomplete" },
    });
    await endAt(1);
    await round();
    expect((await (other as PodClient).get(needs.id)).allocation).not.toBeNull();
    const again = await Promise.all(ids.map((id) => (client as PodClient).get(id)));
    expect(await held(again)).toEqual([0, 0]);
    expect(await db().podCheckpoint.count({ where: { podId: { in: ids }, cause: "reclaim" } })).toBe(2);
    await end(needs);
    await round();
    expect(await held(again)).toEqual([8, 8]);
  });

  it("that misses a pod has no GPUs of spot pods kept for it any more", async () => {
    const { id } = await by(other, 8, true);
    await db().pod.update({ where: { id }, data: { status: "ready", startedAt: new Date() } });
    const gang = { name: "misses", size: 2 };
    const [one] = [await member(gang), await member(gang)];
    await round();
    expect(await db().gpuNomination.count()).toBe(16);
    await (client as PodClient).call(`/${one.id}/stop`, { method: "POST" });
    await round();
    expect(await db().gpuNomination.count()).toBe(0);
  });

  it("that could run without spot pods takes their GPUs, of all nodes at one time", async () => {
    const spot = [await by(other, 8, true), await by(other, 5, true)];
    const ids = spot.map(({ id }) => id);
    await db().pod.updateMany({ where: { id: { in: ids } }, data: { status: "ready", startedAt: new Date() } });
    const gang = { name: "needs", size: 2 };
    const pods = [await member(gang), await member(gang)];
    await round();
    expect((await Promise.all(ids.map((id) => (other as PodClient).get(id)))).map(({ status }) => status)).toEqual([
      "reclaiming",
      "reclaiming",
    ]);
    expect((await (client as PodClient).get(pods[0]?.id ?? "")).status_reason?.code).toBe("reclaiming_spot");
    for (const id of ids) {
      await recordExit(test.app.cloud, `${id}-1`, { endedAt: new Date(), outcome: "fail" });
      expect((await by(other, 1, true)).allocation).toBeNull();
    }
    await round();
    expect(await held(pods)).toEqual([8, 8]);
  });

  const by = (who: PodClient | undefined, gpu_count: number, spot: boolean) =>
    (who as PodClient).create({ ...GPUS, gpu_count, spot });
});

/** The same numbers each time, below a bound (a linear congruential generator). */
function randomOf(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * bound);
  };
}
