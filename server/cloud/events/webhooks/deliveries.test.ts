import { beforeEach, describe, expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { call, orderPaid, type WebhookTenant, webhookTest } from "../../../../test/factories/webhooks";
import { deleteWebhook } from "./delete-webhook";
import { getWebhook } from "./get-webhook";
import { getWebhookDelivery } from "./get-webhook-delivery";
import { listWebhookDeliveries } from "./list-webhook-deliveries";
import { updateWebhook } from "./update-webhook";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

let tenant: WebhookTenant;
let hosts = 0;
const newHost = () => `receiver-${++hosts}.example`;
const test = await openForFile(webhookTest({ attemptMs: 1000 }));
beforeEach(async () => {
  tenant = await test.tenant();
});

const deliveriesOf = async (id: string) => (await call(tenant.ctx, listWebhookDeliveries, { id })).data;
const onlyDelivery = async (id: string) => {
  const [delivery, ...more] = await deliveriesOf(id);
  if (!delivery || more.length > 0) throw new Error("There is not exactly one delivery.");
  return call(tenant.ctx, getWebhookDelivery, { id, delivery_id: delivery.id });
};
/** Moves the clock to when the only delivery is attempted next, and attempts it. */
const attemptNext = async (id: string) => {
  const { next_attempt_at: at } = await onlyDelivery(id);
  test.clock.advance(Date.parse(at ?? "") - test.clock.now().getTime());
  await test.deliver();
};

describe("an event", () => {
  it("reaches the enabled webhooks of its tenant, mode and project that subscribe to it, once each", async () => {
    const other = await test.tenant();
    const hosts = Object.fromEntries(
      ["exact", "prefix", "all", "otherKind", "testMode", "disabled", "foreign"].map((name) => [name, newHost()]),
    ) as Record<string, string>;
    await tenant.webhook(hosts.exact ?? "", { events: ["order.paid"] });
    await tenant.webhook(hosts.prefix ?? "", { events: ["order.*", "order.paid"] });
    await tenant.webhook(hosts.all ?? "", { events: ["*"] });
    await tenant.webhook(hosts.otherKind ?? "", { events: ["webhook.*"] });
    await tenant.webhook(hosts.testMode ?? "", { mode: "test" });
    const { id } = await tenant.webhook(hosts.disabled ?? "");
    await call(tenant.ctx, updateWebhook, { id, status: "disabled" });
    await other.webhook(hosts.foreign ?? "");
    const eventId = await tenant.record("1");
    await test.deliver();
    const got = Object.entries(hosts).map(([name, host]) => [
      name,
      test.receiver.requestsTo(host).filter(({ headers }) => headers["webhook-id"] === eventId).length,
    ]);
    expect(Object.fromEntries(got)).toEqual({
      exact: 1,
      prefix: 1,
      all: 1,
      otherKind: 0,
      testMode: 0,
      disabled: 0,
      foreign: 0,
    });
  });

  it("without a project reaches the webhooks of all projects, and one with a project only those", async () => {
    const second = { id: `prj_second_${tenant.tenantId}`, name: "second" };
    await test.db.project.create({ data: { ...second, tenantId: tenant.tenantId, createdAt: test.clock.now() } });
    const [first, other] = [newHost(), newHost()];
    await tenant.webhook(first);
    await tenant.webhook(other, { project: "second" });
    const inProject = await tenant.record("1");
    const ofAll = await tenant.record("2", { inProject: "" });
    await test.db.event.update({ where: { id: ofAll }, data: { projectId: null } });
    await test.deliver();
    const idsAt = (host: string) => test.receiver.requestsTo(host).map(({ headers }) => headers["webhook-id"]);
    expect(idsAt(first).sort()).toEqual([inProject, ofAll].sort());
    expect(idsAt(other)).toEqual([ofAll]);
  });

  it("is sent as its body by POST, and the delivery shows what was sent and received", async () => {
    const host = newHost();
    const { id } = await tenant.webhook(host);
    const eventId = await tenant.record("ü-1");
    await test.deliver();
    const [request] = test.receiver.requestsTo(host);
    const delivery = await onlyDelivery(id);
    expect(JSON.parse(request?.body ?? "")).toEqual({
      id: eventId,
      type: orderPaid.type,
      created_at: test.clock.now().toISOString(),
      tenant_id: tenant.tenantId,
      project_id: tenant.projectId,
      mode: "live",
      data: { order_id: "ü-1", total: 12.5 },
    });
    expect(delivery.event).toEqual(JSON.parse(request?.body ?? ""));
    expect(request?.url).toBe("/hook");
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      connection: "close",
      "webhook-id": eventId,
      "user-agent": expect.stringMatching(/^svc-webhooks\//),
    });
    expect(delivery).toMatchObject({
      status: "succeeded",
      attempt_count: 1,
      last_status_code: 200,
      last_error: null,
      next_attempt_at: null,
      attempts: [{ number: 1, status_code: 200, error: null, response_body: "ok", id: expect.stringMatching(/^att_/) }],
    });
  });
});

describe("a failed attempt", () => {
  it("is retried 5 times within 24 hours with the same bytes, then the delivery has failed", async () => {
    const host = newHost();
    test.receiver.respond(host, 500);
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    const start = test.clock.now().getTime();
    await test.deliver();
    for (let retry = 1; retry <= 5; retry++) {
      expect(await onlyDelivery(id)).toMatchObject({
        status: "pending",
        attempt_count: retry,
        retries_left: 5 - retry,
      });
      await attemptNext(id);
    }
    const { status, attempts, last_error, retries_left } = await onlyDelivery(id);
    expect({ status, last_error, retries_left }).toEqual({
      status: "failed",
      last_error: "The endpoint responded with status 500.",
      retries_left: 0,
    });
    const offsets = attempts.map(({ started_at }) => Date.parse(started_at) - start);
    const nominal = [0, MINUTE, 10 * MINUTE, HOUR, 5 * HOUR, 17.8 * HOUR];
    expect(offsets).toEqual(nominal.map((_, i) => nominal.slice(0, i + 1).reduce((a, b) => a + b)));
    expect(Math.max(...offsets)).toBeLessThanOrEqual(DAY);
    const sent = test.receiver.requestsTo(host);
    expect(sent).toHaveLength(6);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers["x-svc-signature"])).size).toBe(6);
    expect(sent.map(({ headers }) => Number(headers["x-svc-timestamp"]))).toEqual(
      attempts.map(({ started_at }) => Math.floor(Date.parse(started_at) / 1000)),
    );
  });

  it.each([
    ["seconds", () => "7200", 2 * HOUR],
    ["a date", () => new Date(test.clock.now().getTime() + 3 * HOUR).toUTCString(), 3 * HOUR],
    ["more than the rest of the 24 hours", () => "200000", DAY],
    ["less than the schedule", () => "1", MINUTE],
    ["nonsense", () => "soon", MINUTE],
  ])("honours a Retry-After of %s", async (_, header, waits) => {
    const host = newHost();
    test.receiver.respond(host, (response) => response.writeHead(503, { "retry-after": header() }).end());
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    await test.deliver();
    const { next_attempt_at: at } = await onlyDelivery(id);
    // A date has whole seconds.
    expect(Math.abs(Date.parse(at ?? "") - test.clock.now().getTime() - waits)).toBeLessThan(1001);
  });

  it("marks the webhook as failing until the next success", async () => {
    const host = newHost();
    test.receiver.respond(host, 500);
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    const since = test.clock.now().toISOString();
    await test.deliver();
    expect(await call(tenant.ctx, getWebhook, { id })).toMatchObject({ failing_since: since });
    test.receiver.respond(host, 204);
    await attemptNext(id);
    expect(await call(tenant.ctx, getWebhook, { id })).toMatchObject({ failing_since: null, status: "enabled" });
    expect(await onlyDelivery(id)).toMatchObject({ status: "succeeded", attempt_count: 2, last_status_code: 204 });
  });

  it("with status 410 disables the webhook at once, with an event and an email", async () => {
    const [host, watcher] = [newHost(), newHost()];
    await tenant.webhook(watcher, { events: ["webhook.disabled"] });
    const { id } = await tenant.webhook(host);
    test.receiver.respond(host, 500);
    await tenant.record("waits");
    await test.deliver();
    test.receiver.respond(host, 410);
    await tenant.record("gone");
    await test.deliver();
    expect(await call(tenant.ctx, getWebhook, { id })).toMatchObject({ status: "disabled", disabled_reason: "gone" });
    const deliveries = await deliveriesOf(id);
    expect(deliveries.map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(deliveries.map(({ last_error }) => last_error)).toContainEqual(expect.stringContaining("disabled"));
    const [event] = test.receiver.requestsTo(watcher).map(({ body }) => JSON.parse(body));
    expect(event).toMatchObject({ type: "webhook.disabled", data: { id, disabled_reason: "gone" } });
    const emails = await test.db.email.findMany({ where: { to: tenant.email } });
    expect(emails).toEqual([expect.objectContaining({ subject: `Webhook disabled: ${host}` })]);
  });

  it("after 5 days of failures disables the webhook, and enabling it starts again", async () => {
    const host = newHost();
    test.receiver.respond(host, 500);
    const { id } = await tenant.webhook(host);
    for (let day = 0; day < 5; day++) {
      await tenant.record(`day ${day}`);
      await test.deliver();
      expect(await call(tenant.ctx, getWebhook, { id })).toMatchObject({ status: "enabled" });
      test.clock.advance(DAY);
    }
    await tenant.record("last");
    await test.deliver();
    expect(await call(tenant.ctx, getWebhook, { id })).toMatchObject({
      status: "disabled",
      disabled_reason: "failing",
    });
    const sent = test.receiver.requestsTo(host).length;
    test.clock.advance(DAY);
    await tenant.record("while disabled");
    await test.deliver();
    expect(test.receiver.requestsTo(host)).toHaveLength(sent);
    expect((await deliveriesOf(id)).every(({ status }) => status === "failed")).toBe(true);
    expect(await call(tenant.ctx, updateWebhook, { id, status: "enabled" })).toMatchObject({
      status: "enabled",
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    });
    await tenant.record("after");
    await test.deliver();
    expect(test.receiver.requestsTo(host)).toHaveLength(sent + 1);
    const emails = await test.db.email.findMany({ where: { to: tenant.email } });
    expect(emails).toHaveLength(1);
  });
});

describe("a response", () => {
  it("is stored as text up to 64 KiB, whatever its bytes", async () => {
    const host = newHost();
    test.receiver.respond(host, (response) =>
      response.writeHead(400).end(Buffer.concat([Buffer.from([0, 255]), Buffer.alloc(200_000, "x")])),
    );
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    await test.deliver();
    const [attempt] = (await onlyDelivery(id)).attempts;
    expect(attempt?.status_code).toBe(400);
    expect(attempt?.response_body).toMatch(/^\ufffd\ufffdx+$/);
    expect(attempt?.response_body).toHaveLength(64 * 1024);
  });

  it("that redirects is a failure; nothing follows it", async () => {
    const host = newHost();
    const location = "http://169.254.169.254/latest/meta-data";
    test.receiver.respond(host, (response) => response.writeHead(307, { location }).end());
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    await test.deliver();
    expect(await onlyDelivery(id)).toMatchObject({
      last_status_code: 307,
      last_error: expect.stringContaining("redirects are not followed"),
    });
    expect(test.receiver.connected.filter(({ hostname }) => hostname === host)).toHaveLength(1);
    expect(test.receiver.connected.filter(({ address }) => address !== "8.8.8.8")).toEqual([]);
  });

  it.each([
    ["sends its head a byte at a time", "HTTP/1.1 200 OK\r\nx-slow: ", null],
    ["sends its body a byte at a time", "HTTP/1.1 500 No\r\n\r\n", 500],
    ["sends nothing", "", null],
  ])("that %s is cut at the limit", async (_, start, status) => {
    const host = newHost();
    test.receiver.respond(host, ({ socket }) => {
      socket?.write(start);
      const timer = setInterval(() => start && socket?.write("x"), 50);
      socket?.once("close", () => clearInterval(timer));
    });
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    await test.deliver();
    const delivery = await onlyDelivery(id);
    expect(delivery).toMatchObject({ status: "pending", last_status_code: status });
    if (status === null) expect(delivery.last_error).toBe("The endpoint did not respond within 1 s.");
    expect(delivery.attempts[0]?.latency_ms).toBeGreaterThan(900);
  });
});

describe("an endpoint's address", () => {
  it("is checked at each attempt: one that turns private gets no connection, and its answer is not shown", async () => {
    const host = newHost();
    test.receiver.respond(host, 500);
    test.receiver.resolveTo(host, (call) => (call === 0 ? ["8.8.8.8"] : ["8.8.8.8", "127.0.0.1"]));
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    await test.deliver();
    await attemptNext(id);
    expect(test.receiver.requestsTo(host)).toHaveLength(1);
    const { attempts } = await onlyDelivery(id);
    expect(attempts[1]).toMatchObject({
      status_code: null,
      response_body: null,
      error: `${host} does not resolve to public addresses only.`,
    });
  });

  it("that belongs to svc by now gets no connection", async () => {
    const { id } = await tenant.webhook(newHost());
    await test.db.webhook.update({ where: { id }, data: { url: "https://svc.example/hook" } });
    await tenant.record("1");
    await test.deliver();
    expect(await onlyDelivery(id)).toMatchObject({ last_error: "svc.example is svc itself." });
    expect(test.receiver.requestsTo("svc.example")).toEqual([]);
  });
});

describe("a slow endpoint", () => {
  it("with a backlog does not delay others, and gets at most ten requests at once", async () => {
    const [slow, quick] = [newHost(), newHost()];
    const open = new Set<() => void>();
    let most = 0;
    test.receiver.respond(slow, (response) => {
      const answer = () => void response.end("late");
      open.add(answer);
      most = Math.max(most, open.size);
    });
    const { id } = await tenant.webhook(slow);
    for (let i = 0; i < 25; i++) await tenant.record(`backlog ${i}`);
    await tenant.webhook(quick);
    const eventId = await tenant.record("for both");
    await test.loop.round();
    await expect.poll(() => test.receiver.requestsTo(quick).length).toBeGreaterThanOrEqual(10);
    await expect.poll(() => open.size).toBe(10);
    const waits = () => test.receiver.requestsTo(quick).some(({ headers }) => headers["webhook-id"] === eventId);
    await expect
      .poll(async () => {
        await test.loop.round();
        return waits();
      })
      .toBe(true);
    expect(test.receiver.requestsTo(slow)).toHaveLength(10);
    expect(most).toBe(10);
    for (const answer of open) answer();
    await test.loop.idle();
    await call(tenant.ctx, deleteWebhook, { id });
  });
});

describe("concurrent processes", () => {
  it("send each event once", async () => {
    const host = newHost();
    await tenant.webhook(host);
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push(await tenant.record(`${i}`));
    const loops = [test.createLoop(), test.createLoop(), test.createLoop()];
    await expect
      .poll(async () => {
        await Promise.all(loops.map((loop) => loop.round()));
        await Promise.all(loops.map((loop) => loop.idle()));
        return test.receiver.requestsTo(host).length;
      })
      .toBeGreaterThanOrEqual(60);
    const got = test.receiver.requestsTo(host).map(({ headers }) => headers["webhook-id"]);
    expect(got.sort()).toEqual(ids.sort());
  });

  it("repeat the attempt of one that was killed when its lease ends, and not before", async () => {
    const host = newHost();
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    await test.deliver();
    const lease = new Date(test.clock.now().getTime() + 30_000);
    // As a process leaves it that was killed during the attempt.
    await test.db.webhookDelivery.updateMany({
      where: { webhookId: id },
      data: { status: "pending", leaseOwner: "killed", nextAttemptAt: lease, attemptCount: 0 },
    });
    await test.deliver();
    expect(test.receiver.requestsTo(host)).toHaveLength(1);
    test.clock.advance(30_000);
    await test.deliver();
    expect(test.receiver.requestsTo(host)).toHaveLength(2);
    expect(await onlyDelivery(id)).toMatchObject({ status: "succeeded", attempt_count: 1 });
  });
});

describe("a webhook that is deleted or disabled during an attempt", () => {
  it.each(["disabled", "deleted"])("%s: the attempt is the last one, and its result is kept", async (how) => {
    const host = newHost();
    const { id } = await tenant.webhook(host);
    let answer = () => undefined as unknown;
    test.receiver.respond(host, (response) => {
      answer = () => response.writeHead(500).end();
    });
    await tenant.record("1");
    await test.loop.round();
    await expect.poll(() => test.receiver.requestsTo(host).length).toBe(1);
    if (how === "disabled") await call(tenant.ctx, updateWebhook, { id, status: "disabled" });
    else await call(tenant.ctx, deleteWebhook, { id });
    answer();
    await test.loop.idle();
    test.clock.advance(DAY);
    await test.deliver();
    expect(test.receiver.requestsTo(host)).toHaveLength(1);
    const row = await test.db.webhookDelivery.findFirstOrThrow({
      where: { webhookId: id },
      include: { attempts: true },
    });
    expect(row).toMatchObject({ status: "failed", nextAttemptAt: null, attempts: [{ statusCode: 500, number: 1 }] });
    expect(row.lastError).toContain(how);
  });
});
