import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Queue } from "../../server/cloud/data/queues/queue";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { testApp } from "../factories/app";
import { openForFile } from "../factories/open-for-file";
import { type QueueClient, queueClient, queueTenant } from "../factories/queues";

const test = await openForFile(testApp());
const tenant = await queueTenant(test);
const svc = tenant.client;

const events = async (type: string) =>
  test.engines.db.event.findMany({ where: { type, tenantId: tenant.ctx.tenantId }, orderBy: { sequence: "asc" } });

describe("a queue", () => {
  it("is created with the defaults of the documentation, and is there at once by id and name", async () => {
    const queue = await svc.create("plain");
    expect(queue).toMatchObject({
      id: expect.stringMatching(/^que_[0-9a-z]{26}$/),
      mode: "live",
      name: "plain",
      dlq: null,
      visibility_timeout_s: 30,
      retention_s: 345_600,
      max_receives: 5,
    });
    const figures = { waiting: 0, delayed: 0, in_flight: 0, oldest_age_s: null };
    for (const q of [queue.id, queue.name]) {
      expect(await svc.call(`/queues/${q}`)).toMatchObject({ status: 200, body: { ...queue, figures } });
    }
    expect((await svc.call<{ data: Queue[] }>("/queues")).body.data).toContainEqual(queue);
    expect(await events("queue.created")).toContainEqual(
      expect.objectContaining({ data: queue, projectId: queue.project_id, mode: "live" }),
    );
  });

  it.each([
    ["0s", 0],
    ["45s", 45],
    ["5m", 300],
    ["12h", 43_200],
  ])("takes %s as a visibility timeout of %i s", async (text, seconds) => {
    expect(await svc.create(`timeout-${text}`, { visibility_timeout: text })).toMatchObject({
      visibility_timeout_s: seconds,
    });
  });

  it.each<[string, unknown]>([
    ["name", ""],
    ["name", "a b"],
    ["name", "x".repeat(81)],
    ["name", "que_mine"],
    ["name", 5],
    ["visibility_timeout_s", -1],
    ["visibility_timeout_s", 43_201],
    ["visibility_timeout_s", 1.5],
    ["visibility_timeout_s", "30"],
    ["visibility_timeout", "13h"],
    ["visibility_timeout", "30"],
    ["visibility_timeout", 30],
    ["dlq", 1],
    ["max_receives", 0],
    ["max_receives", 1001],
    ["retention_s", 59],
    ["retention_s", 1_209_601],
    ["mode", "prod"],
    ["colour", "red"],
  ])("with %s = %j is refused by that field", async (field, value) => {
    const body = { name: "bad", [field]: value };
    expect(await svc.call("/queues", { body })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", param: field } },
    });
  });

  it("with both forms of the visibility timeout is refused, on creation and on change", async () => {
    const both = { visibility_timeout: "30s", visibility_timeout_s: 30 };
    await svc.create("both");
    const refused = { status: 400, body: { error: { param: "visibility_timeout" } } };
    expect(await svc.call("/queues", { body: { name: "x", ...both } })).toMatchObject(refused);
    expect(await svc.call("/queues/both", { method: "PATCH", body: both })).toMatchObject(refused);
  });

  it("is created once for one Idempotency-Key; without one its name is taken", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const [first, second] = [
      await svc.call("/queues", { body: { name: "once" }, headers }),
      await svc.call("/queues", { body: { name: "once" }, headers }),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await svc.call("/queues", { body: { name: "once" } })).toMatchObject({
      status: 409,
      body: { error: { param: "name", details: { reason: "name_taken" } } },
    });
  });

  it("changes the given settings only, with audit and event; null removes its dead-letter queue", async () => {
    await svc.create("patched-dlq");
    const before = await svc.create("patched", { dlq: "patched-dlq" });
    const patch = (body: object) => svc.call<Queue>("/queues/patched", { method: "PATCH", body });
    expect((await patch({ max_receives: 9, visibility_timeout: "2m" })).body).toEqual({
      ...before,
      max_receives: 9,
      visibility_timeout_s: 120,
      updated_at: expect.any(String),
    });
    expect((await patch({ dlq: null })).body).toMatchObject({ dlq: null, max_receives: 9 });
    expect((await events("queue.updated")).map(({ data }) => (data as { changed: string[] }).changed)).toEqual([
      ["visibility_timeout_s", "max_receives"],
      ["dlq"],
    ]);
    expect((await patch({ name: "plain" })).status).toBe(409);
    expect((await patch({ name: "renamed" })).body).toMatchObject({ id: before.id, name: "renamed" });
    expect((await svc.call("/queues/patched")).status).toBe(404);
  });

  it("is deleted with its messages, and its name can be used again", async () => {
    const first = await svc.create("again");
    await svc.send("again", { body: "old" });
    expect((await svc.call("/queues/again", { method: "DELETE" })).status).toBe(204);
    for (const q of ["again", first.id]) expect((await svc.call(`/queues/${q}`)).status).toBe(404);
    expect((await svc.call("/queues/again", { method: "DELETE" })).status).toBe(404);
    const second = await svc.create("again");
    expect(second.id).not.toBe(first.id);
    expect(await svc.receive("again")).toEqual([]);
    expect(await events("queue.deleted")).toHaveLength(1);
  });

  it("counts against the quota until it is deleted", async () => {
    const { ctx, client } = await queueTenant(test);
    await setQuota(test.app.account, { tenant_id: ctx.tenantId, resource: "queues", limit: 1 });
    await client.create("one");
    expect(await client.call("/queues", { body: { name: "two" } })).toMatchObject({
      status: 429,
      body: { error: { code: "quota_exceeded", details: { resource: "queues", limit: 1 } } },
    });
    await client.call("/queues/one", { method: "DELETE" });
    await client.create("two");
  });
});

describe("dead-letter queues", () => {
  it("may be a chain, but neither the queue itself nor a cycle", async () => {
    await svc.create("c");
    const b = await svc.create("b", { dlq: "c" });
    const a = await svc.create("a", { dlq: b.id });
    expect(a.dlq).toBe("b");
    const cycle = { status: 409, body: { error: { param: "dlq", details: { reason: "dlq_cycle" } } } };
    for (const dlq of ["a", "b", "c", a.id]) {
      expect(await svc.call("/queues/c", { method: "PATCH", body: { dlq } })).toMatchObject(cycle);
    }
    expect(await svc.call("/queues", { body: { name: "d", dlq: "d" } })).toMatchObject(cycle);
  });

  it("exist, and cannot be deleted while they are used", async () => {
    expect(await svc.call("/queues", { body: { name: "d", dlq: "nowhere" } })).toMatchObject({
      status: 404,
      body: { error: { param: "dlq" } },
    });
    await svc.create("used");
    await svc.create("user", { dlq: "used" });
    expect(await svc.call("/queues/used", { method: "DELETE" })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: "dlq_in_use", queue: "user" } } },
    });
    await svc.call("/queues/user", { method: "DELETE" });
    expect((await svc.call("/queues/used", { method: "DELETE" })).status).toBe(204);
  });

  it("two changes at once that would close a cycle together: one of them is refused", async () => {
    for (let round = 0; round < 5; round++) {
      const names = [`left-${round}`, `right-${round}`] as const;
      for (const name of names) await svc.create(name);
      const patch = (q: string, dlq: string) => svc.call(`/queues/${q}`, { method: "PATCH", body: { dlq } });
      const answers = await Promise.all([patch(names[0], names[1]), patch(names[1], names[0])]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });
});

describe("nobody else sees a queue", () => {
  const NAME = "private";
  let own: Queue;
  const others: [string, () => Promise<QueueClient>][] = [
    ["another tenant", async () => (await queueTenant(test)).client],
    ["another project of the tenant", () => queueClient(test, tenant.ctx)],
    ["a key of the other mode", async () => queueClient(test, tenant.ctx, "test")],
  ];
  beforeAll(async () => {
    own = await svc.create(NAME);
    await svc.send(NAME, { body: "secret" });
  });

  it.each(others)("%s gets 404 from every operation, as for a name that does not exist", async (_, make) => {
    const other = await make();
    const [receipt] = (await svc.receive(NAME, "visibility_timeout_s=0")).map((message) => message.receipt);
    const calls: [method: string, path: string, body?: object][] = [
      ["GET", ""],
      ["PATCH", "", { max_receives: 1 }],
      ["DELETE", ""],
      ["POST", "/send", { body: "x" }],
      ["GET", "/receive"],
      ["POST", "/acknowledge", { receipt }],
      ["POST", "/extend", { receipt }],
      ["POST", "/return", { receipt }],
      ["GET", "/messages"],
      ["POST", "/redrive"],
      ["POST", "/purge"],
    ];
    for (const q of [own.id, own.name]) {
      for (const [method, path, body] of calls) {
        const answer = await other.call(`/queues/${q}${path}`, { method, ...(body && { body }) });
        expect([method, path, answer.status]).toEqual([method, path, 404]);
        expect(answer.body.error?.message).toBe(`No queue has the id or name "${q}".`);
      }
      for (const verb of ["send", "receive"]) {
        const body = verb === "send" ? { body: "x" } : {};
        expect((await other.call(`/edge/queues/${q}/${verb}`, { body })).status).toBe(404);
      }
      expect((await other.call("/queues", { body: { name: "mine", dlq: q } })).status).toBe(404);
    }
    expect((await other.call<{ data: Queue[] }>("/queues")).body.data).toEqual([]);
    const mine = await other.create(NAME);
    expect(mine.id).not.toBe(own.id);
    expect(await other.receive(NAME)).toEqual([]);
  });
});
