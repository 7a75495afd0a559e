import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { recordExit } from "../../server/cloud/compute/pods/record-run";
import { cordonNode } from "../../server/cloud/compute/pools/cordon-node";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { advanceReservations } from "../../server/cloud/compute/reservations/advance-reservations";
import type { Reservation } from "../../server/cloud/compute/reservations/reservation";
import type { Mode } from "../../server/operation/actor";
import { eventually, makeTenant, testApp } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { type HttpResult, idleNode } from "../factories/pod-scene";

const DAY_MS = 24 * 3600 * 1000;
const MINUTE_MS = 60_000;

describe("reservations", async () => {
  const test = await testApp();
  const { cloud } = test.app;
  const { db, sql, clock, currency, publicUrl } = cloud;
  beforeAll(() => idleNode(test, 1_000_000));
  afterAll(() => test.stop());

  /** A client of a new tenant. */
  async function client({ mode = "test" }: { mode?: Mode } = {}) {
    const tenant = await makeTenant(test);
    await raiseRate(test, tenant.tenantId);
    const key = await platformKey(tenant, { mode, scopes: ["pods:read", "pods:write", "billing:read"] });
    const call = async <T>(
      path: string,
      { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
    ) => {
      const response = await manage(test, `/v1${path}`, { key, headers, ...(body && { body }) });
      return { status: response.status, body: await response.json() } as HttpResult<T>;
    };
    const made = async <T>(path: string, body: object): Promise<T> => {
      const answer = await call<T>(path, { body });
      if (answer.status > 202) throw new Error(`${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    return {
      tenantId: tenant.tenantId,
      call,
      reserve: (fields: object) => made<Reservation>("/reservations", { gpu: "h100", duration: "30d", ...fields }),
      pod: (fields: object) => made<Pod>("/pods", { image: "alpine:3", ...fields }),
      reservation: async (id: string) => (await call<Reservation>(`/reservations/${id}`)).body,
      podOf: async (id: string) => (await call<Pod>(`/pods/${id}`)).body,
      typesOf: async () => {
        const rows = await db.event.findMany({ where: { tenantId: tenant.tenantId }, orderBy: { sequence: "asc" } });
        return rows.map(({ type }) => type).filter((type) => type.startsWith("reservation."));
      },
    };
  }
  const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  const devicesOf = (reservationId: string) => db.reservedDevice.findMany({ where: { reservationId } });

  it("admit exactly what fits when 50 are created at once, and give no device twice", async () => {
    const clients: Awaited<ReturnType<typeof client>>[] = [];
    for (let i = 0; i < 10; i++) clients.push(await client());
    const body = { gpu: "b300", count: 3, duration: "30d" };
    const answers = await Promise.all(
      clients.flatMap(({ call }) => Array.from({ length: 5 }, () => call<Reservation>("/reservations", { body }))),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(5);
    const rejected = answers.filter(({ status }) => status === 409);
    expect(rejected).toHaveLength(45);
    expect(rejected[0]?.body.error?.details).toMatchObject({ reason: "no_capacity", free: 1 });
    const devices = await db.reservedDevice.findMany({ where: { pool: "use/b300" } });
    expect(devices).toHaveLength(15);
    const later = { ...body, starts_at: rejected[0]?.body.error?.details?.earliest_start };
    expect((await clients[0]?.call("/reservations", { body: later }))?.status).toBe(201);
  });

  it("of another tenant do not exist", async () => {
    const [own, other] = await Promise.all([client(), client()]);
    const { id } = await own.reserve({ gpu: "l40s", count: 2 });
    expect((await other.call(`/reservations/${id}`)).status).toBe(404);
    expect((await other.call(`/reservations/${id}/cancel`, { body: {} })).status).toBe(404);
    const pod = await other.call("/pods", { body: { image: "alpine:3", reservation_id: id } });
    expect(pod).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect((await other.call<{ data: object[] }>("/reservations")).body.data).toEqual([]);
    expect((await own.call<{ data: object[] }>("/reservations?gpu=l40s&status=active")).body.data).toHaveLength(1);
    expect((await own.call<{ data: object[] }>("/reservations?region=apac")).body.data).toEqual([]);
  });

  it("are made once by a repeated request", async () => {
    const { call } = await client();
    const again = { headers: { "idempotency-key": randomUUID() }, body: { gpu: "a100", count: 2, duration: "365d" } };
    const [first, second] = [
      await call<Reservation>("/reservations", again),
      await call<Reservation>("/reservations", again),
    ];
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    expect(first.body).toMatchObject({ price_per_hour: "1.18", total_price: "10336.80", simulated: true, assigned: 2 });
    expect((await call<{ data: object[] }>("/reservations")).body.data).toHaveLength(1);
  });

  it("are refused with what is possible", async () => {
    const { call } = await client();
    const refused = async (fields: object) => {
      const answer = await call("/reservations", {
        body: { gpu: "gb200/gb300 NVL72", count: 1, duration: "30d", ...fields },
      });
      return [answer.status, answer.body.error?.param, answer.body.error?.message];
    };
    expect(await refused({ duration: "31d" })).toEqual([400, "duration", "duration: expected 30d or 365d."]);
    expect(await refused({ count: 73 })).toEqual([422, "count", "count: use has 72 gb200 GPUs in all."]);
    expect(await refused({ count: 0 })).toEqual(expect.arrayContaining([400, "count"]));
    expect(await refused({ starts_at: at(91 * DAY_MS) })).toEqual(expect.arrayContaining([400, "starts_at"]));
    expect(await refused({ starts_at: at(-DAY_MS) })).toEqual(expect.arrayContaining([400, "starts_at"]));
    const tooMany = await call("/reservations", { body: { gpu: "gb200", count: 17, duration: "30d" } });
    expect(tooMany).toMatchObject({ status: 429, body: { error: { code: "quota_exceeded" } } });
    const live = await client({ mode: "live" });
    const none = await live.call("/reservations", { body: { gpu: "h100", count: 1, duration: "30d" } });
    expect(none).toMatchObject({ status: 503, body: { error: { details: { reason: "no_capacity" } } } });
  });

  it("have their pods on their devices, and lend what is idle to spot pods until a pod needs it", async () => {
    const own = await client();
    const region = "apac";
    const { id } = await own.reserve({ count: 8, region });
    const [node] = new Set((await devicesOf(id)).map((device) => device.node));
    const spot = await Promise.all(
      Array.from({ length: 8 }, () => own.pod({ gpu: "h100", gpu_count: 8, region, spot: true })),
    );
    const lent = spot.find(({ allocation }) => allocation?.node === node);
    expect(await own.reservation(id)).toMatchObject({ assigned: 8, in_use: 0, lent_to_spot: 8 });
    const waiting = await own.pod({ reservation_id: id, gpu_count: 2 });
    expect(waiting).toMatchObject({ gpu: "h100", region, spot: false, allocation: null, price_per_hour: "0.032" });
    await db.pod.updateMany({ where: { id: { in: spot.map((pod) => pod.id) } }, data: { status: "ready" } });
    await eventually(async () => (await own.podOf(lent?.id ?? "")).status === "reclaiming");
    const notices = await Promise.all(spot.map((pod) => own.podOf(pod.id)));
    expect(notices.filter(({ status }) => status === "reclaiming")).toHaveLength(1);
    // What the node does when the notice is over.
    await recordExit({ db, clock, currency, publicUrl }, `${lent?.id}-1`, { endedAt: clock.now(), outcome: "fail" });
    const full = await own.call("/pods", { body: { image: "alpine:3", reservation_id: id, gpu_count: 7 } });
    expect(full).toMatchObject({ status: 409, body: { error: { details: { reason: "reservation_full", free: 6 } } } });
    const wrong = await own.call("/pods", { body: { image: "alpine:3", reservation_id: id, gpu: "h200" } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { param: "gpu" } } });
    const placed = await own.pod({ reservation_id: id, gpu_count: 6 });
    expect(placed.allocation).toMatchObject({ node, devices: [0, 1, 2, 3, 4, 5] });
    expect(await own.reservation(id)).toMatchObject({ in_use: 8, lent_to_spot: 0 });
    const committed = await own.call(`/reservations/${id}/cancel`, { body: {} });
    expect(committed).toMatchObject({ status: 409, body: { error: { details: { reason: "committed" } } } });
  });

  it("have gangs on their devices, all pods or none, and spot pods give back those of all nodes at once", async () => {
    const own = await client();
    const gpus = { gpu: "a100", region: "euw" };
    const { id } = await own.reserve({ ...gpus, count: 16 });
    const nodes = new Set((await devicesOf(id)).map(({ node }) => node));
    const spot = await Promise.all(
      Array.from({ length: 4 }, () => own.pod({ ...gpus, gpu_count: 8, spot: true, auto_resume: true })),
    );
    await db.pod.updateMany({ where: { id: { in: spot.map((pod) => pod.id) } }, data: { status: "ready" } });
    const lent = spot.filter(({ allocation }) => nodes.has(allocation?.node ?? ""));
    expect(lent).toHaveLength(2);
    const fields = { reservation_id: id, gpu_count: 8, gang: { name: "reserved", size: 2 } };
    const full = await own.call<{ blocked_by: object }>("/pods/estimate", {
      body: { ...fields, gang: { name: "reserved", size: 3 } },
    });
    expect(full.body.blocked_by).toMatchObject({ code: "reservation_full" });
    const first = await own.pod(fields);
    const round = () => maintainPods({ ...cloud, gpuPools: new GpuPools() });
    await round();
    expect((await own.podOf(first.id)).status_reason?.message).toMatch(/^1 of the 2 pods/);
    expect(await db.pod.count({ where: { reservationId: null, status: "reclaiming" } })).toBe(0);
    const differs = await own.call("/pods", { body: { ...gpus, image: "alpine:3", gpu_count: 8, gang: fields.gang } });
    expect(differs).toMatchObject({ status: 409, body: { error: { param: "reservation_id" } } });
    const second = await own.pod(fields);
    const statuses = async () => Promise.all(lent.map(async (pod) => (await own.podOf(pod.id)).status));
    await eventually(async () => (await statuses()).every((status) => status === "reclaiming"));
    for (const pod of lent) {
      await round();
      expect((await own.podOf(first.id)).allocation).toBeNull();
      await recordExit(cloud, `${pod.id}-1`, { endedAt: clock.now(), outcome: "fail" });
    }
    await round();
    const placed = await Promise.all([first, second].map((pod) => own.podOf(pod.id)));
    expect(new Set(placed.map(({ allocation }) => allocation?.node))).toEqual(nodes);
  });

  it("get other devices for those of a node that accepts no pods, as soon as their own pods there have ended", async () => {
    const own = await client();
    const { id } = await own.reserve({ gpu: "h200", count: 6, region: "apac" });
    const pod = await own.pod({ reservation_id: id, gpu_count: 2 });
    const node = pod.allocation?.node ?? "";
    const reason = { reason: "Fan", drains: false };
    await cordonNode({ db, clock }, { pool: "apac/h200", node, ...reason });
    const onNode = async () => (await devicesOf(id)).filter((device) => device.node === node).length;
    await eventually(async () => (await onNode()) === 2 && (await devicesOf(id)).length === 6);
    await recordExit({ db, clock, currency, publicUrl }, `${pod.id}-1`, { endedAt: clock.now(), outcome: "fail" });
    await eventually(async () => (await onNode()) === 0 && (await devicesOf(id)).length === 6);
    const elsewhere = await own.pod({ reservation_id: id, gpu_count: 6 });
    expect(elsewhere.allocation?.node).toMatch(/^h200-/);
    expect(elsewhere.allocation?.node).not.toBe(node);
  });

  it("keep their start from on-demand pods, which live for 30 days", async () => {
    const [own, other] = await Promise.all([client(), client()]);
    const gpus = { gpu: "b200", region: "apac" };
    await Promise.all([own, other].map(({ reserve }) => reserve({ ...gpus, count: 12, starts_at: at(10 * DAY_MS) })));
    const fits = await own.pod({ ...gpus, gpu_count: 8 });
    expect(fits.allocation).not.toBeNull();
    const waits = await other.pod({ ...gpus, gpu_count: 1 });
    expect(waits).toMatchObject({ allocation: null, status_reason: { code: "no_gpus" } });
    expect(waits.status_reason?.message).toContain("kept for reservations");
    expect((await other.pod({ ...gpus, gpu_count: 8, spot: true })).allocation).not.toBeNull();
    const { body } = await own.call<{
      count_max: number;
      earliest_start: string;
      free: { at: string; count: number }[];
    }>("/reservations/calendar?gpu=b200&region=apac&count=1");
    expect(body).toMatchObject({ count_max: 0, capacity: 32 });
    expect(body.free.map(({ count }) => count)).toEqual([24, 0, 8, 32]);
    const second = (text = "") => Math.ceil(Date.parse(text) / 1000);
    expect(second(body.earliest_start)).toBe(second(body.free[2]?.at));
  });

  it("start and end at their times, once, also after a downtime, and are paid for each second of their term", async () => {
    const own = await client();
    const region = "euw";
    const { id } = await own.reserve({ count: 8, region, starts_at: at(MINUTE_MS) });
    const canceled = await own.reserve({ count: 4, region, starts_at: at(20 * MINUTE_MS) });
    expect(await own.reservation(id)).toMatchObject({ status: "scheduled", assigned: 0 });
    const early = await own.call("/pods", { body: { image: "alpine:3", reservation_id: id } });
    expect(early).toMatchObject({ status: 409, body: { error: { details: { reason: "reservation_not_active" } } } });
    expect((await own.call<Reservation>(`/reservations/${canceled.id}/cancel`, { body: {} })).body.status).toBe(
      "canceled",
    );
    test.clock.advance(MINUTE_MS / 2);
    await eventually(async () => (await own.reservation(id)).assigned === 8);
    const spot = await own.pod({ gpu: "h100", gpu_count: 8, region, spot: true });
    const [device] = await devicesOf(id);
    expect([(await own.reservation(id)).status, spot.allocation?.node === device?.node]).toEqual(["scheduled", false]);
    test.clock.advance(MINUTE_MS / 2);
    await eventually(async () => (await own.reservation(id)).status === "active");
    const pod = await own.pod({ reservation_id: id, gpu_count: 8 });
    expect(pod.allocation?.node).toBe(device?.node);
    test.clock.advance(29.5 * DAY_MS);
    await eventually(async () => (await own.typesOf()).includes("reservation.end_announced"));
    test.clock.advance(3 * DAY_MS);
    const rounds = Array.from({ length: 3 }, () => advanceReservations({ db, sql, clock, currency, publicUrl }));
    await Promise.all(rounds);
    await eventually(async () => (await own.podOf(pod.id)).status === "stopping");
    expect((await own.podOf(pod.id)).status_reason?.code).toBe("reservation_ended");
    expect(await own.reservation(id)).toMatchObject({ status: "ended", assigned: 0 });
    expect((await own.typesOf()).map((type) => type.slice("reservation.".length))).toEqual([
      "created",
      "created",
      "canceled",
      "started",
      "end_announced",
      "ended",
    ]);
    const used = await own.call<{ data: object[] }>("/usage?days=92&group_by=service,purchase,price");
    expect(used.body.data).toContainEqual(
      expect.objectContaining({
        service: "reservations",
        purchase: "reserved",
        quantity: String(30 * 86_400),
        unit_price: "9.92",
        amount: "7142.40",
        final: true,
      }),
    );
    expect((await own.call(`/reservations/${id}/cancel`, { body: {} })).body.error?.details?.reason).toBe("ended");
  });
});
