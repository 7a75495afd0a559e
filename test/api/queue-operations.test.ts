import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createQueue } from "../../server/cloud/data/queues/create-queue";
import { getQueue } from "../../server/cloud/data/queues/get-queue";
import { listQueues } from "../../server/cloud/data/queues/list-queues";
import type { Message } from "../../server/cloud/data/queues/message";
import { sendMessages } from "../../server/cloud/data/queues/send-messages";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { TEST_REQUEST, testApp } from "../factories/app";
import { platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { queueTenant } from "../factories/queues";

const test = await openForFile(testApp());
const tenant = await queueTenant(test);
const svc = tenant.client;

let queues = 0;
const newQueue = async (fields: object = {}): Promise<string> => (await svc.create(`q-${++queues}`, fields)).name;
const bodies = (messages: readonly Pick<Message, "body">[]) => messages.map(({ body }) => body);
const peek = async (q: string) =>
  (await svc.call<{ data: Message[] }>(`/queues/${q}/messages?max_messages=100`)).body.data;
const figures = async (q: string) => (await svc.call<{ figures: object }>(`/queues/${q}`)).body.figures;

/** A queue whose messages moved to its dead-letter queue. */
async function withDead(...messages: string[]) {
  const dlq = await newQueue();
  const q = await newQueue({ dlq, max_receives: 2 });
  await svc.send(q, ...messages.map((body) => ({ body })));
  for (let times = 0; times < 2; times++) {
    const leased = await svc.receive(q);
    expect(leased.map(({ receive_count }) => receive_count)).toEqual(messages.map(() => times + 1));
    await svc.changeLeases(q, "return", { receipts: leased.map(({ receipt }) => receipt) });
  }
  // The receive that would be the third moves them.
  expect(await svc.receive(q)).toEqual([]);
  await expect.poll(async () => bodies(await peek(dlq)), { timeout: 20_000 }).toEqual(messages);
  return { q, dlq };
}

describe("a dead-letter queue", () => {
  it("gets messages in order after max_receives, and redrive returns them in order, as often as asked", async () => {
    const { q, dlq } = await withDead("1", "2", "3");
    expect(await svc.receive(q)).toEqual([]);
    const redrive = (body: object = {}) => svc.call(`/queues/${dlq}/redrive`, { method: "POST", body });
    expect(await redrive({ max_messages: 2 })).toMatchObject({ status: 200, body: { moved: 2, target: q } });
    expect(await redrive()).toMatchObject({ status: 200, body: { moved: 1, target: q } });
    expect(await redrive()).toMatchObject({ status: 200, body: { moved: 0, target: q } });
    const back = await svc.receive(q);
    expect(back.map(({ body, receive_count }) => [body, receive_count])).toEqual([
      ["1", 1],
      ["2", 1],
      ["3", 1],
    ]);
    const entries = await test.engines.db.auditEntry.findMany({ where: { action: "queue.redriven" } });
    expect(entries.map(({ details }) => details)).toEqual([{ moved: 2 }, { moved: 1 }]);
  });

  it("of several queues or of none needs a target, which is another queue of the same project and mode", async () => {
    const { dlq } = await withDead("x");
    const redrive = (from: string, body: object = {}) => svc.call(`/queues/${from}/redrive`, { body });
    const refused = (reason: string) => ({
      status: 409,
      body: { error: { param: "target", details: { reason } } },
    });
    await newQueue({ dlq });
    const target = await newQueue();
    expect(await redrive(dlq)).toMatchObject(refused("several_targets"));
    expect(await redrive(target)).toMatchObject(refused("no_target"));
    expect(await redrive(dlq, { target: dlq })).toMatchObject(refused("no_target"));
    const foreign = await (await queueTenant(test)).client.create("theirs");
    expect((await redrive(dlq, { target: foreign.id })).status).toBe(404);
    expect(await redrive(dlq, { target, max_messages: 0 })).toMatchObject({ status: 400 });
    expect(await redrive(dlq, { target })).toMatchObject({ status: 200, body: { moved: 1, target } });
    expect(bodies(await peek(target))).toEqual(["x"]);
  });
});

it("purge deletes waiting, delayed and in-flight messages, ends their receipts, and is an event", async () => {
  const q = await newQueue();
  await svc.send(q, { body: "1", group_id: "1" }, { body: "2", group_id: "2" });
  await svc.send(q, { body: "3", group_id: "3", delay_seconds: 900 });
  const [leased] = await svc.receive(q, "max_messages=1");
  expect(await svc.call(`/queues/${q}/purge`, { method: "POST" })).toMatchObject({ status: 200, body: { purged: 3 } });
  expect(await svc.changeLeases(q, "acknowledge", { receipt: leased?.receipt })).toMatchObject({ status: 409 });
  expect(await figures(q)).toEqual({ waiting: 0, delayed: 0, in_flight: 0, oldest_age_s: null });
  await svc.send(q, { body: "4" });
  expect(bodies(await svc.receive(q))).toEqual(["4"]);
  const [event] = await test.engines.db.event.findMany({ where: { type: "queue.purged" } });
  expect(event?.data).toMatchObject({ name: q, purged: 3 });
});

it("figures tell waiting, delayed and in-flight messages apart, and how old the oldest is", async () => {
  const q = await newQueue({ visibility_timeout: "12h" });
  await svc.send(q, { body: "1", group_id: "1" }, { body: "2", group_id: "2" });
  await svc.send(q, { body: "3", group_id: "3", delay_seconds: 900 });
  await svc.receive(q, "max_messages=1");
  test.clock.advance(60_000);
  expect(await figures(q)).toEqual({ waiting: 1, delayed: 1, in_flight: 1, oldest_age_s: expect.any(Number) });
  expect((await figures(q)) as { oldest_age_s: number }).toHaveProperty(
    "oldest_age_s",
    expect.toSatisfy((age: number) => age >= 60 && age < 600),
  );
  expect((await peek(q)).map((message) => (message as Message & { state: string }).state)).toEqual([
    "in_flight",
    "waiting",
    "delayed",
  ]);
});

it("a person sees all projects and modes: by id everywhere, by name in the given project and mode", async () => {
  const { ctx, client } = await queueTenant(test);
  const person = { ...test.app.cloud, actor: ctx.actor, request: TEST_REQUEST };
  const live = await client.create("same");
  const create = (fields: object) => createQueue.run(person, createQueue.input.parse({ name: "same", ...fields }));
  const inTest = await create({});
  expect([inTest.mode, inTest.project_id]).toEqual(["test", live.project_id]);
  const get = (fields: object) => getQueue.run(person, getQueue.input.parse(fields));
  expect(await get({ q: live.id })).toMatchObject(live);
  expect((await get({ q: "same" })).id).toBe(inTest.id);
  expect((await get({ q: "same", mode: "live" })).id).toBe(live.id);
  await platformKey(ctx);
  const projects = await ctx.db.project.findMany({ where: { tenantId: ctx.tenantId }, orderBy: { id: "asc" } });
  const project = projects[1]?.id ?? "";
  await expect(get({ q: "same", mode: "live", project })).rejects.toMatchObject({ code: "not_found" });
  const second = await create({ mode: "live", project });
  const list = async (fields: object) =>
    (await listQueues.run(person, listQueues.input.parse(fields))).data.map(({ id }) => id);
  expect(await list({ mode: "live" })).toEqual([second.id, live.id]);
  expect(await list({ mode: "live", project })).toEqual([second.id]);
  expect(await list({})).toEqual([inTest.id]);
  await sendMessages.run(person, sendMessages.input.parse({ q: "same", mode: "live", project, body: "x" }));
  expect((await get({ q: second.id })).figures.waiting).toBe(1);
});

it("messages, leases and receipts survive a restart", async () => {
  const q = await newQueue({ visibility_timeout: "12h" });
  await svc.send(q, { body: "1" }, { body: "2" });
  const [first] = await svc.receive(q, "max_messages=1");
  await test.restart();
  expect(bodies(await peek(q))).toEqual(["1", "2"]);
  expect(await svc.receive(q)).toEqual([]);
  expect((await svc.changeLeases(q, "acknowledge", { receipt: first?.receipt })).status).toBe(200);
  expect(bodies(await svc.receive(q))).toEqual(["2"]);
});

describe("over HTTP", () => {
  let url: string;
  let server: ReturnType<typeof createHttpServer>["server"];
  let key: string;
  beforeAll(async () => {
    const log = pino({ level: "silent" });
    const created = createHttpServer({ tls: undefined, publicUrl: "http://localhost", allowedHosts: [], log });
    server = created.server;
    const answer = (request: Request) => test.app.platform.fetch(request, { address: "127.0.0.1" });
    created.serve({ direct: [{ path: "/v1/", answer }], pages: () => undefined, clientAddress: () => "127.0.0.1" });
    await once(server.listen(0, "127.0.0.1"), "listening");
    url = `http://localhost:${(server.address() as AddressInfo).port}/v1`;
    key = await platformKey(tenant.ctx, { scopes: ["queues:read", "queues:write"] });
  });
  afterAll(() => server.close().closeAllConnections());

  const fetchQueue = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/queues${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(init.body ? { "content-type": "application/json" } : {}) },
    });
  const post = (path: string, body: object) => fetchQueue(path, { method: "POST", body: JSON.stringify(body) });

  it("a client that disconnects while it waits takes no message from those who still wait", async () => {
    await post("", { name: "shared", visibility_timeout: "12h" });
    const gone = Array.from({ length: 5 }, () => new AbortController());
    const lost = gone.map(({ signal }) =>
      fetchQueue("/shared/receive?wait_seconds=20", { signal }).catch(() => "gone"),
    );
    const waiting = fetchQueue("/shared/receive?wait_seconds=20");
    for (const client of gone) client.abort();
    expect(await Promise.all(lost)).toEqual(gone.map(() => "gone"));
    await post("/shared/send", { body: "x" });
    const { data } = (await (await waiting).json()) as { data: Message[] };
    expect(bodies(data)).toEqual(["x"]);
  });

  it("requests that wait end at once when the process begins to stop", { timeout: 15_000 }, async () => {
    await post("", { name: "stopping" });
    const waiting = [1, 2, 3].map(() => fetchQueue("/stopping/receive?wait_seconds=20"));
    test.app.endWaits();
    for (const response of waiting) expect(await (await response).json()).toEqual({ data: [] });
    expect(await (await fetchQueue("/stopping/receive?wait_seconds=20")).json()).toEqual({ data: [] });
    // A stopping process still gives out what is there.
    await post("/stopping/send", { body: "x" });
    const { data } = (await (await fetchQueue("/stopping/receive?wait_seconds=20")).json()) as { data: Message[] };
    expect(bodies(data)).toEqual(["x"]);
  });
});
