import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Message } from "../../server/cloud/data/queues/message";
import { testApp } from "../factories/app";
import { manage, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { queueTenant } from "../factories/queues";

const KIBIBYTE = 1024;

const test = await openForFile(testApp());
const tenant = await queueTenant(test);
const svc = tenant.client;

let queues = 0;
const newQueue = async (fields: object = {}): Promise<string> => (await svc.create(`q-${++queues}`, fields)).name;
const bodies = (messages: readonly Message[]) => messages.map(({ body }) => body);

describe("what is sent", () => {
  it.each<[string, unknown]>([
    ["an object", { a: [1, { b: null }, "ü", 1.5e-7], "": false }],
    ["an empty object", {}],
    ["a string", "plain text"],
    ["an empty string", ""],
    ["a string that looks like JSON", '{"a":1}'],
    ["an object nested 80 levels deep", JSON.parse(`${'{"a":'.repeat(80)}1${"}".repeat(80)}`)],
    ["an object of 130,000 values", { list: Array(130_000).fill(1) }],
  ])("comes back equal: %s", async (_, body) => {
    const q = await newQueue();
    const sent = await svc.call(`/queues/${q}/send`, { body: { body, group_id: "g" } });
    expect(sent).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^msg_/), is_duplicate: false } });
    const peeked = await svc.call<{ data: Message[] }>(`/queues/${q}/messages`);
    expect(peeked.body.data).toMatchObject([{ id: sent.body.id, state: "waiting", receive_count: 0 }]);
    expect(peeked.body.data[0]).not.toHaveProperty("receipt");
    const [message] = await svc.receive(q);
    expect(message?.body).toEqual(body);
    expect(message).toMatchObject({ id: sent.body.id, group_id: "g", receive_count: 1 });
  });

  it.each<[string, object, string]>([
    ["nothing", {}, "body"],
    ["a list", { body: [1] }, "body"],
    ["a number", { body: 1 }, "body"],
    ["null", { body: null }, "body"],
    ["a message and a batch", { body: "x", messages: [{ body: "y" }] }, "messages"],
    ["a field beside a batch", { messages: [{ body: "y" }], group_id: "g" }, "group_id"],
    ["an empty batch", { messages: [] }, "messages"],
    ["a batch of 101", { messages: Array(101).fill({ body: "x" }) }, "messages"],
    ["a message without a body", { messages: [{ body: "x" }, { group_id: "g" }] }, "messages[1].body"],
    ["an unknown field of a message", { messages: [{ body: "x", ttl: 1 }] }, "messages[0].ttl"],
    ["an empty group", { body: "x", group_id: "" }, "group_id"],
    ["a group of 129 characters", { body: "x", group_id: "g".repeat(129) }, "group_id"],
    ["a delay of 901 s", { body: "x", delay_seconds: 901 }, "delay_seconds"],
    ["a negative delay", { body: "x", delay_seconds: -1 }, "delay_seconds"],
    ["a deduplication id that is no text", { body: "x", deduplication_id: 7 }, "deduplication_id"],
    ["NUL", { body: "a\0b" }, "body"],
  ])("is refused by its field: %s", async (_, body, param) => {
    const q = await newQueue();
    expect(await svc.call(`/queues/${q}/send`, { body })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", param } },
    });
    expect(await svc.receive(q)).toEqual([]);
  });

  it("may have 256 KiB in UTF-8; one byte more is refused by its path, and nothing of its batch is stored", async () => {
    const q = await newQueue();
    const full = "é".repeat(128 * KIBIBYTE);
    const object = { a: "x".repeat(256 * KIBIBYTE - '{"a":""}'.length) };
    await svc.send(q, { body: full, group_id: "1" }, { body: object, group_id: "2" });
    expect(bodies(await svc.receive(q))).toEqual([full, object]);
    const tooLong = [{ body: "ok" }, { body: { a: `${object.a}x` } }];
    const refused = (param: string) => ({ status: 413, body: { error: { code: "payload_too_large", param } } });
    expect(await svc.call(`/queues/${q}/send`, { body: { messages: tooLong } })).toMatchObject(
      refused("messages[1].body"),
    );
    expect(await svc.call(`/queues/${q}/send`, { body: { body: `${full}x` } })).toMatchObject(refused("body"));
    expect(await svc.receive(q)).toEqual([]);
  });

  it("may have 8 MiB in all", async () => {
    const q = await newQueue();
    const batch = (count: number) => ({
      messages: Array.from({ length: count }, () => ({ body: "x".repeat(255 * KIBIBYTE) })),
    });
    expect((await svc.call(`/queues/${q}/send`, { body: batch(32) })).status).toBe(200);
    expect((await svc.call(`/queues/${q}/send`, { body: batch(33) })).status).toBe(413);
  });

  it("is stored once for one Idempotency-Key and for one deduplication id, also when its response was lost", async () => {
    const q = await newQueue();
    const body = { messages: [{ body: "1" }, { body: "2" }] };
    const headers = { "idempotency-key": randomUUID() };
    const send = () => svc.call<{ data: { id: string }[] }>(`/queues/${q}/send`, { body, headers });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    // As if the process had ended between the messages and the stored response.
    await test.engines.db.idempotentAnswer.deleteMany();
    expect((await send()).body.data).toEqual(first.body.data.map(({ id }) => ({ id, is_duplicate: true })));
    expect(bodies(await svc.receive(q))).toEqual(["1", "2"]);
    const once = { body: "3", deduplication_id: "d", group_id: "g" };
    const [one, two] = [
      await svc.call(`/queues/${q}/send`, { body: once }),
      await svc.call(`/queues/${q}/send`, { body: once }),
    ];
    expect([one.body, two.body]).toEqual([
      { id: one.body.id, is_duplicate: false },
      { id: one.body.id, is_duplicate: true },
    ]);
  });
});

describe("receive", () => {
  it.each([
    ["max_messages", "0"],
    ["max_messages", "101"],
    ["max_messages", "many"],
    ["wait_seconds", "21"],
    ["wait_seconds", "-1"],
    ["wait_seconds", "1.5"],
    ["visibility_timeout_s", "43201"],
    ["maxMessages", "1"],
  ])("refuses %s=%s", async (name, value) => {
    const q = await newQueue();
    expect(await svc.call(`/queues/${q}/receive?${name}=${value}`)).toMatchObject({
      status: 400,
      body: { error: { param: name } },
    });
  });

  it("returns messages in order, blocks only their groups, and is never cached", async () => {
    const q = await newQueue();
    await svc.send(q, { body: "a1", group_id: "a" }, { body: "a2", group_id: "a" }, { body: "b1", group_id: "b" });
    const first = await svc.call<{ data: Message[] }>(`/queues/${q}/receive?max_messages=1`);
    expect(bodies(first.body.data)).toEqual(["a1"]);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(bodies(await svc.receive(q))).toEqual(["b1"]);
    await svc.changeLeases(q, "acknowledge", { receipt: first.body.data[0]?.receipt });
    expect(bodies(await svc.receive(q))).toEqual(["a2"]);
  });

  it("has no HEAD, which would take messages and show none", async () => {
    const q = await newQueue();
    await svc.send(q, { body: "x" });
    const refused = await svc.call(`/queues/${q}/receive`, { method: "HEAD" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET"]);
    expect(bodies(await svc.receive(q))).toEqual(["x"]);
  });

  it("waits for a message, and takes none for a client that has gone", async () => {
    const q = await newQueue();
    const gone = new AbortController();
    const path = `/queues/${q}/receive?wait_seconds=20`;
    const lost = svc.call<{ data: Message[] }>(path, { signal: gone.signal });
    gone.abort();
    expect((await lost).body.data).toEqual([]);
    const waiting = svc.receive(q, "wait_seconds=20");
    await svc.send(q, { body: "x" });
    expect(bodies(await waiting)).toEqual(["x"]);
  });

  it("makes messages visible again when the client disconnects before it has the response", async () => {
    const q = await newQueue({ visibility_timeout: "12h" });
    await svc.send(q, { body: "x" });
    const client = new AbortController();
    await svc.call(`/queues/${q}/receive`, { signal: client.signal });
    expect(await svc.receive(q)).toEqual([]);
    client.abort();
    await expect.poll(() => svc.receive(q), { timeout: 10_000 }).toMatchObject([{ body: "x", receive_count: 2 }]);
  });

  it("works on the same queue by the routes of edge functions, with the scope edge:write alone", async () => {
    const q = await newQueue();
    const { id } = (await svc.call<{ id: string }>(`/queues/${q}`)).body;
    const sent = await svc.call(`/edge/queues/${q}/send`, { body: { body: { from: "edge" } } });
    expect(sent).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    const received = await svc.call(`/edge/queues/${id}/receive`, { body: { max_messages: 10, wait_seconds: 1 } });
    expect(received).toMatchObject({ status: 200, body: { data: [{ id: sent.body.id, body: { from: "edge" } }] } });
    expect(await svc.call(`/edge/queues/${q}/receive`, { body: { wait_seconds: "1" } })).toMatchObject({
      status: 400,
      body: { error: { param: "wait_seconds" } },
    });
    const receiptOf = ({ body }: { body: { data: { receipt: string }[] } }) => ({ receipt: body.data[0]?.receipt });
    const first = receiptOf(received as never);
    const ok = { status: 200, body: { data: [{ outcome: "ok" }] } };
    const extend = { ...first, visibility_timeout_s: 60 };
    expect(await svc.call(`/edge/queues/${q}/extend`, { body: extend })).toMatchObject(ok);
    expect(await svc.call(`/edge/queues/${q}/return`, { body: first })).toMatchObject(ok);
    const again = await svc.call(`/edge/queues/${q}/receive`, { body: {} });
    expect(await svc.call(`/edge/queues/${q}/acknowledge`, { body: receiptOf(again as never) })).toMatchObject(ok);
    const edgeOnly = await platformKey(tenant.ctx, { scopes: ["edge:write"] });
    const asked = await manage(test, `/v1/edge/queues/${q}/acknowledge`, { key: edgeOnly, body: { receipt: "r" } });
    // The queue is of another project; without the scope it would be 403.
    expect(asked.status).toBe(404);
    const refused = await manage(test, `/v1/queues/${q}/send`, { key: edgeOnly, body: { body: "x" } });
    expect(refused.status).toBe(403);
  });
});

describe("a receipt", () => {
  const leased = async (fields: object = {}) => {
    const q = await newQueue(fields);
    await svc.send(q, { body: "x" });
    const [message] = await svc.receive(q);
    return { q, receipt: message?.receipt ?? "" };
  };
  const expired = { status: 409, body: { error: { code: "conflict", details: { reason: "lease_expired" } } } };

  it.each(["acknowledge", "extend", "return"])("of %s that is none is refused", async (verb) => {
    const { q, receipt } = await leased();
    const other = await newQueue();
    const cases: [object, string][] = [
      [{}, "receipt"],
      [{ receipt: "" }, "receipt"],
      [{ receipt: "nonsense" }, "receipt"],
      [{ receipt, receipts: [receipt] }, "receipts"],
      [{ receipts: [] }, "receipts"],
      [{ receipts: Array(101).fill(receipt) }, "receipts"],
    ];
    for (const [fields, param] of cases) {
      expect(await svc.changeLeases(q, verb, fields)).toMatchObject({ status: 400, body: { error: { param } } });
    }
    expect((await svc.changeLeases(other, verb, { receipt })).status).toBeGreaterThanOrEqual(400);
  });

  it("acknowledges once; then and after its timeout it is expired", async () => {
    const { q, receipt } = await leased({ visibility_timeout_s: 60 });
    expect(await svc.changeLeases(q, "acknowledge", { receipt })).toMatchObject({
      status: 200,
      body: { data: [{ receipt, outcome: "ok" }] },
    });
    for (const verb of ["acknowledge", "extend", "return"]) {
      expect(await svc.changeLeases(q, verb, { receipt })).toMatchObject(expired);
    }
    expect(await svc.receive(q)).toEqual([]);
  });

  it("of a batch has its own outcome: ok, expired, unknown", async () => {
    const q = await newQueue();
    await svc.send(q, { body: "1", group_id: "1" }, { body: "2", group_id: "2" });
    const [one, two] = (await svc.receive(q)).map(({ receipt }) => receipt);
    await svc.changeLeases(q, "acknowledge", { receipt: one });
    expect((await svc.changeLeases(q, "acknowledge", { receipts: [one, two, "nonsense"] })).body).toEqual({
      data: [
        { receipt: one, outcome: "lease_expired" },
        { receipt: two, outcome: "ok" },
        { receipt: "nonsense", outcome: "unknown" },
      ],
    });
  });

  it("extends its lease, to zero too, and returns its message at once or later", async () => {
    const { q, receipt } = await leased({ visibility_timeout_s: 60 });
    expect((await svc.changeLeases(q, "extend", { receipt, visibility_timeout_s: 43_200 })).status).toBe(200);
    test.clock.advance(120_000);
    expect(await svc.receive(q)).toEqual([]);
    expect((await svc.changeLeases(q, "return", { receipt })).status).toBe(200);
    const [again] = await svc.receive(q);
    expect(again).toMatchObject({ body: "x", receive_count: 2 });
    expect(await svc.changeLeases(q, "acknowledge", { receipt })).toMatchObject(expired);
    expect((await svc.changeLeases(q, "return", { receipt: again?.receipt, delay_seconds: 900 })).status).toBe(200);
    expect(await svc.receive(q)).toEqual([]);
    test.clock.advance(901_000);
    expect(bodies(await svc.receive(q))).toEqual(["x"]);
  });
});
