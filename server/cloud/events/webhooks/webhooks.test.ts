import { describe, expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { call, webhookTest } from "../../../../test/factories/webhooks";
import { ServiceError } from "../../../kernel/errors";
import { createWebhook } from "./create-webhook";
import { deleteWebhook } from "./delete-webhook";
import { getWebhook } from "./get-webhook";
import { getWebhookDelivery } from "./get-webhook-delivery";
import { listWebhookDeliveries } from "./list-webhook-deliveries";
import { listWebhooks } from "./list-webhooks";
import { replayWebhookDeliveries } from "./replay-webhook-deliveries";
import { replayWebhookDelivery } from "./replay-webhook-delivery";
import { rotateWebhookSecret } from "./rotate-webhook-secret";
import { sweepDeliveries } from "./sweep-deliveries";
import { testWebhook } from "./test-webhook";
import { updateWebhook } from "./update-webhook";

const [HOUR, DAY] = [3_600_000, 86_400_000];

let hosts = 0;
const newHost = () => `endpoint-${++hosts}.example`;
const test = await openForFile(webhookTest());
const tenant = await test.tenant();

const refusal = async (work: Promise<unknown>) => {
  const cause = await work.then(
    () => undefined,
    (one: unknown) => one,
  );
  if (!(cause instanceof ServiceError)) throw new Error(`not refused: ${String(cause)}`);
  return { code: cause.code, param: cause.param, message: cause.message, reason: cause.details?.reason };
};
const onlyDelivery = async (id: string) => {
  const { data } = await call(tenant.ctx, listWebhookDeliveries, { id });
  if (data.length !== 1 || !data[0]) throw new Error("There is not exactly one delivery.");
  return data[0];
};

describe("a secret", () => {
  it("is shown at creation and rotation only: not in lists, events, deliveries, the audit log, logs or the database", async () => {
    const host = newHost();
    const created = await tenant.webhook(host, { events: ["*"] });
    const rotated = await call(tenant.ctx, rotateWebhookSecret, { id: created.id });
    test.receiver.respond(host, 500);
    await call(tenant.ctx, updateWebhook, { id: created.id, name: "renamed" });
    await test.deliver();
    const tables = ["webhooks", "webhook_deliveries", "webhook_attempts", "events", "audit_entries", "emails"];
    const dump = async (table: string) => (await test.sql.query(`SELECT t::text FROM ${table} t`)).rows;
    const seen = JSON.stringify([
      await call(tenant.ctx, getWebhook, { id: created.id }),
      await call(tenant.ctx, listWebhooks, { mode: "live" }),
      await call(tenant.ctx, listWebhookDeliveries, { id: created.id }),
      await Promise.all(tables.map(dump)),
      [test.receiver.requests, test.logged],
    ]);
    for (const { secret } of [created, rotated]) {
      expect(secret).toMatch(/^whsec_/);
      expect(seen).not.toContain(secret);
      expect(seen).not.toContain(secret.slice("whsec_".length));
    }
    expect(rotated.secret).not.toBe(created.secret);
    expect(Date.parse(rotated.previous_secret_until ?? "")).toBe(test.clock.now().getTime() + DAY);
    expect(seen).toContain("webhook.secret_rotated");
  });
});

describe("a subscription", () => {
  it.each([
    ["order.payed", "order.paid"],
    ["webhok.created", "webhook.created"],
    ["orders.paid", "order.paid"],
    ["order.p.*", "order.paid"],
  ])("to the unknown kind %s is refused, naming %s", async (kind, close) => {
    expect(await refusal(tenant.webhook(newHost(), { events: ["webhook.*", kind] }))).toMatchObject({
      code: "invalid_request",
      param: "events[1]",
      reason: "unknown_event_kind",
      message: expect.stringContaining(close),
    });
  });

  it("to something that is no kind is refused", () => {
    for (const events of [[], ["Order Paid"], ["*.paid"], ["order*"], [""]]) {
      const input = { name: "w", url: "https://shop.example/", events };
      expect(createWebhook.input.safeParse(input).success).toBe(false);
    }
  });
});

describe("a URL", () => {
  it.each<[url: string, reason: string]>([
    ["http://shop.example/", "not_https"],
    ["ftp://shop.example/", "not_https"],
    ["https://user:pw@shop.example/", "has_credentials"],
    ["https://svc.example/", "own_host"],
    ["https://SVC.example.:8443/x", "own_host"],
    ...[
      "localhost",
      "a.localhost",
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "0.0.0.0",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.0.1",
      "169.254.169.254",
      "100.64.1.1",
      "224.0.0.1",
      "192.88.99.1",
      "[::1]",
      "[::]",
      "[fe80::1]",
      "[fd00::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "[64:ff9b:1::1]",
      "[2002:7f00:1::]",
      "[2001::1]",
      "[ff02::1]",
      "[3fff::1]",
      "[4000::1]",
      "[::7f00:1]",
      "①②⑦.⓪.⓪.①",
      "127。0。0。1",
    ].map((host) => [`https://${host}/`, "address_not_public"] as [string, string]),
  ])("%s is refused: %s", async (url, reason) => {
    expect(await refusal(tenant.webhook(newHost(), { url }))).toMatchObject({
      code: "invalid_request",
      param: "url",
      reason,
    });
    const { id } = await tenant.webhook(newHost());
    expect(await refusal(call(tenant.ctx, updateWebhook, { id, url }))).toMatchObject({ param: "url", reason });
    await call(tenant.ctx, deleteWebhook, { id });
  });

  it("on a public host with any port is taken; its query is neither in events nor in the audit log", async () => {
    const url = "https://shop.example:8443/hook?token=hidden";
    const { id } = await tenant.webhook(newHost(), { url });
    expect(await call(tenant.ctx, getWebhook, { id })).toMatchObject({ url });
    await call(tenant.ctx, updateWebhook, { id, url: "https://shop.example:8443/hook?token=hidden2" });
    await call(tenant.ctx, deleteWebhook, { id });
    const dump = async (table: string) => (await test.sql.query(`SELECT t::text FROM ${table} t`)).rows;
    expect(JSON.stringify([await dump("events"), await dump("audit_entries")])).not.toContain("hidden");
  });

  it("on loopback is taken in development only, except svc's own port", async () => {
    const urlPolicy = { allowsLoopback: true, ownHosts: ["localhost:3000"] };
    const ctx = { ...tenant.ctx, urlPolicy };
    const create = (url: string) => call(ctx, createWebhook, { name: "w", url, events: ["*"] });
    for (const url of ["http://localhost:4000/x", "http://127.0.0.1:4000", "http://[::1]:4000", "https://localhost/"]) {
      await call(ctx, deleteWebhook, { id: (await create(url)).id });
    }
    expect(await refusal(create("http://127.0.0.1:3000/"))).toMatchObject({ reason: "own_host" });
    expect(await refusal(create("http://shop.example/"))).toMatchObject({ reason: "not_https" });
    expect(await refusal(create("https://10.0.0.1/"))).toMatchObject({ reason: "address_not_public" });
  });
});

describe("a test event", () => {
  it("goes to its webhook only, as the kind's example, and returns the delivery with its attempt", async () => {
    const [host, other] = [newHost(), newHost()];
    const { id } = await tenant.webhook(host);
    await tenant.webhook(other, { events: ["*"] });
    await test.deliver();
    const before = test.receiver.requestsTo(other).length;
    const delivery = await call(tenant.ctx, testWebhook, { id });
    expect(delivery).toMatchObject({
      webhook_id: id,
      event_type: "order.paid",
      status: "succeeded",
      attempt_count: 1,
      retries_left: 0,
      event: { type: "order.paid", mode: "live", data: { order_id: "example", total: 1 } },
      attempts: [{ number: 1, status_code: 200, response_body: "ok" }],
    });
    await test.deliver();
    expect(test.receiver.requestsTo(host)).toHaveLength(1);
    expect(test.receiver.requestsTo(other)).toHaveLength(before);
    const named = await call(tenant.ctx, testWebhook, { id, type: "webhook.created" });
    expect(named.event.type).toBe("webhook.created");
    expect(await refusal(call(tenant.ctx, testWebhook, { id, type: "order.pad" }))).toMatchObject({
      param: "type",
      message: expect.stringContaining("order.paid"),
    });
  });

  it("that fails is not retried", async () => {
    const host = newHost();
    test.receiver.respond(host, 500);
    const { id } = await tenant.webhook(host);
    expect(await call(tenant.ctx, testWebhook, { id })).toMatchObject({ status: "failed", next_attempt_at: null });
    test.clock.advance(DAY);
    await test.deliver();
    expect(test.receiver.requestsTo(host)).toHaveLength(1);
  });
});

describe("a replay", () => {
  it("sends the same event again at once, as a new attempt, and is retried like a new delivery", async () => {
    const host = newHost();
    const { id } = await tenant.webhook(host);
    await tenant.record("1");
    await test.deliver();
    const { id: delivery_id } = await onlyDelivery(id);
    test.clock.advance(2 * DAY);
    test.receiver.respond(host, 500);
    const failed = await call(tenant.ctx, replayWebhookDelivery, { id, delivery_id });
    expect(failed).toMatchObject({ status: "pending", attempt_count: 2, retries_left: 4 });
    expect(Date.parse(failed.next_attempt_at ?? "")).toBe(test.clock.now().getTime() + 60_000);
    test.receiver.respond(host, 200);
    const replayed = await call(tenant.ctx, replayWebhookDelivery, { id, delivery_id });
    expect(replayed).toMatchObject({ status: "succeeded", attempt_count: 3, next_attempt_at: null });
    expect(new Set(replayed.attempts.map((attempt) => attempt.id)).size).toBe(3);
    const sent = test.receiver.requestsTo(host);
    expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  it("during an attempt, and of a disabled webhook, is refused", async () => {
    const host = newHost();
    const { id } = await tenant.webhook(host);
    let answer = () => undefined as unknown;
    test.receiver.respond(host, (response) => {
      answer = () => response.end();
    });
    await tenant.record("1");
    await test.loop.round();
    await expect.poll(() => test.receiver.requestsTo(host).length).toBe(1);
    const { id: delivery_id } = await onlyDelivery(id);
    const replay = () => refusal(call(tenant.ctx, replayWebhookDelivery, { id, delivery_id }));
    expect(await replay()).toMatchObject({ code: "conflict", reason: "attempt_under_way" });
    answer();
    await test.loop.idle();
    await call(tenant.ctx, updateWebhook, { id, status: "disabled" });
    expect(await replay()).toMatchObject({ code: "conflict", reason: "webhook_disabled" });
    expect(await refusal(call(tenant.ctx, testWebhook, { id }))).toMatchObject({ reason: "webhook_disabled" });
  });

  it("of a time range sends what failed in it in the background", async () => {
    const host = newHost();
    test.receiver.respond(host, 500);
    const { id } = await tenant.webhook(host);
    const times: Date[] = [];
    for (const order of ["1", "2", "3"]) {
      times.push(test.clock.now());
      await tenant.record(order);
      await test.deliver();
      test.clock.advance(HOUR);
    }
    await call(tenant.ctx, updateWebhook, { id, status: "disabled" });
    test.receiver.respond(host, 200);
    const range = { from: times[1]?.toISOString() ?? "", to: test.clock.now().toISOString() };
    expect(await refusal(call(tenant.ctx, replayWebhookDeliveries, { id, ...range }))).toMatchObject({
      code: "conflict",
    });
    await call(tenant.ctx, updateWebhook, { id, status: "enabled" });
    const sent = test.receiver.requestsTo(host).length;
    const replayed = await call(tenant.ctx, replayWebhookDeliveries, { id, ...range });
    expect(replayed).toEqual({ replayed: 2, next_from: null });
    await test.deliver();
    const orders = test.receiver.requestsTo(host).slice(sent);
    expect(orders.map(({ body }) => JSON.parse(body).data.order_id).sort()).toEqual(["2", "3"]);
    const failed = await call(tenant.ctx, listWebhookDeliveries, { id, status: "failed" });
    expect(failed.data).toHaveLength(1);
    const again = await call(tenant.ctx, replayWebhookDeliveries, { id, ...range });
    expect(again.replayed).toBe(0);
    const backwards = { id, from: range.to, to: range.from };
    expect(await refusal(call(tenant.ctx, replayWebhookDeliveries, backwards))).toMatchObject({ param: "to" });
  });
});

it("the log of deliveries filters by state, kind and time", async () => {
  const host = newHost();
  const { id } = await tenant.webhook(host);
  const start = test.clock.now().toISOString();
  await tenant.record("1");
  await test.deliver();
  test.clock.advance(HOUR);
  const middle = test.clock.now().toISOString();
  test.receiver.respond(host, 500);
  await tenant.record("2");
  await test.deliver();
  const count = async (filters: object) =>
    (await call(tenant.ctx, listWebhookDeliveries, { id, ...filters })).data.length;
  expect(await count({})).toBe(2);
  expect(await count({ status: "succeeded" })).toBe(1);
  expect(await count({ status: "failed" })).toBe(0);
  expect(await count({ event_type: "order.paid" })).toBe(2);
  expect(await count({ event_type: "webhook.created" })).toBe(0);
  expect(await count({ from: middle })).toBe(1);
  expect(await count({ from: start, to: middle })).toBe(1);
  await call(tenant.ctx, deleteWebhook, { id });
});

describe("another tenant, project or mode", () => {
  it("sees and changes nothing", async () => {
    const { id } = await tenant.webhook(newHost());
    await tenant.record("1");
    await test.deliver();
    const delivery_id = (await onlyDelivery(id)).id;
    const other = await test.tenant();
    const project = { id: `prj_other_${tenant.tenantId}`, tenantId: tenant.tenantId, name: "other" };
    await test.db.project.create({ data: { ...project, createdAt: test.clock.now() } });
    const inOther = tenant.key("live");
    const otherProject = { ...inOther, actor: { ...inOther.actor, projectId: project.id } };
    const range = { from: "2026-01-01T00:00:00Z", to: "2036-01-01T00:00:00Z" };
    const attempts = [
      ...[getWebhook, deleteWebhook, rotateWebhookSecret, testWebhook, listWebhookDeliveries, updateWebhook].map(
        (one) => [one, { id }] as const,
      ),
      ...[getWebhookDelivery, replayWebhookDelivery].map((one) => [one, { id, delivery_id }] as const),
      [replayWebhookDeliveries, { id, ...range }] as const,
    ];
    const before = await test.sql.query(
      "SELECT w::text, d::text FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id WHERE w.id = $1",
      [id],
    );
    for (const ctx of [other.ctx, other.key("live"), tenant.key("test"), otherProject]) {
      for (const [one, input] of attempts) {
        expect([one.id, await refusal(call(ctx as typeof tenant.ctx, one as never, input as never))]).toEqual([
          one.id,
          expect.objectContaining({ code: "not_found" }),
        ]);
      }
      expect((await call(ctx as typeof tenant.ctx, listWebhooks, { mode: "live" })).data).toEqual([]);
    }
    const after = await test.sql.query(
      "SELECT w::text, d::text FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id WHERE w.id = $1",
      [id],
    );
    expect(after.rows).toEqual(before.rows);
    const mine = await call(tenant.key("live"), getWebhook, { id });
    expect(mine.id).toBe(id);
    const foreign = await tenant.webhook(newHost());
    expect(await refusal(call(tenant.ctx, getWebhookDelivery, { id: foreign.id, delivery_id }))).toMatchObject({
      code: "not_found",
    });
  });
});

it("deliveries and attempts are deleted after 30 days, and deleted webhooks with them", async () => {
  const [host, deleted] = [newHost(), newHost()];
  const [{ id }, gone] = [await tenant.webhook(host), await tenant.webhook(deleted)];
  await tenant.record("1");
  await test.deliver();
  await call(tenant.ctx, deleteWebhook, { id: gone.id });
  test.clock.advance(30 * DAY - 1000);
  await tenant.record("2");
  await test.deliver();
  await sweepDeliveries({ db: test.db, clock: test.clock });
  expect(await test.db.webhookDelivery.count({ where: { webhookId: id } })).toBe(2);
  test.clock.advance(2000);
  await sweepDeliveries({ db: test.db, clock: test.clock });
  expect(await test.db.webhookDelivery.count({ where: { webhookId: id } })).toBe(1);
  expect(await test.db.webhookAttempt.count({ where: { delivery: { webhookId: id } } })).toBe(1);
  expect(await test.db.webhook.count({ where: { id: gone.id } })).toBe(0);
});
