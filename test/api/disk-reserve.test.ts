import { expect, it } from "vitest";
import { directPaths } from "../../server/direct-paths";
import { SCOPES } from "../../server/operation/actor";
import { ask, eventually, makeShop, testApp } from "../factories/app";
import { manage, oneOffer, platformKey, raiseRate } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { storageClient } from "../factories/storage";

const MIB = 1024 ** 2;

/** Of 5 GiB. */
let freeMib = 4000;
const spaceOf = async () => ({ bsize: MIB, blocks: 5120, bfree: freeMib, bavail: freeMib });
const test = await openForFile(testApp({ spaceOf }));
const shop = await makeShop(test);
await raiseRate(test, shop.tenantId);
const key = await platformKey(shop.ctx, { scopes: [...SCOPES] });

async function send(path: string, sent: { method?: string; body?: object } = {}) {
  const response = await manage(test, path, { key, ...sent });
  const text = await response.text();
  const body = text === "" ? {} : JSON.parse(text);
  return { status: response.status, body, retryAfter: response.headers.get("retry-after") };
}

const ready = async () => {
  const { paths } = directPaths(test.config, { app: test.app, engines: test.engines, isStopping: () => false });
  const at = paths.find(({ path }) => path === "/readyz");
  const response = await at?.answer(new Request("http://localhost:3000/readyz"), { address: "127.0.0.1" });
  if (!response) throw new Error("there is no probe");
  const { engines } = (await response.json()) as { engines: { name: string; error?: string }[] };
  return { status: response.status, alarm: engines.find(({ name }) => name === "disk reserve")?.error };
};

const FULL = {
  status: 503,
  retryAfter: "5",
  body: { error: { code: "unavailable", details: { reason: "disk_full" } } },
};
const message = { body: { n: 1 } };

it("A's writes are refused while the disk has only its reserve; reads, deletions, keys, offers and svc go on", async () => {
  const bucketClient = await storageClient(test, shop.ctx);
  const bucket = await bucketClient.create("photos");
  await bucketClient.put(bucket.name, "kept");
  const queue = (await send("/v1/queues", { body: { name: "jobs" } })).body;
  expect(await send(`/v1/queues/${queue.id}/send`, { body: message })).toMatchObject({ status: 200 });
  const kv = (name: string) => `/v1/edge/kv/cache/keys/${name}`;
  expect(await send(kv("a"), { method: "PUT", body: { value: "1" } })).toMatchObject({ status: 200 });
  const spare = (await send("/v1/keys", { body: { name: "spare", scopes: ["queues:read"] } })).body;
  expect(await ready()).toMatchObject({ status: 200, alarm: undefined });

  freeMib = 400;
  // The probe looks, as svc itself does each second.
  expect(await ready()).toEqual({
    status: 200,
    alarm: expect.stringContaining("has 400 MiB left, of which svc keeps 512"),
  });
  expect(await send(`/v1/queues/${queue.id}/send`, { body: message })).toMatchObject(FULL);
  expect(await send(kv("b"), { method: "PUT", body: { value: "1" } })).toMatchObject(FULL);
  expect(await send("/v1/pods", { body: { image: "alpine:3" } })).toMatchObject(FULL);
  expect(await send("/v1/sandboxes", { body: { image: "alpine:3" } })).toMatchObject(FULL);
  const { cloud } = test.app;
  const refused = { code: "unavailable", details: { reason: "disk_full" } };
  await expect(bucketClient.put(bucket.name, "new")).rejects.toMatchObject(refused);
  await expect(cloud.telemetryLog.append("res_1", "Lres_1 {}")).rejects.toMatchObject(refused);
  const ref = { id: queue.id, visibilityTimeoutMs: 30_000, retentionMs: 60_000, maxReceives: 5 };
  // As the code of a function sends them.
  await expect(cloud.queues.send(ref, [{ body: "1", isText: true }])).rejects.toMatchObject(refused);

  expect((await bucketClient.bytes(bucket.name, "kept")).toString()).toBe("kept");
  expect(await send(kv("a"))).toMatchObject({ status: 200 });
  const received = await send(`/v1/queues/${queue.id}/receive`);
  expect(received.body.data).toHaveLength(1);
  expect(await send(kv("a"), { method: "DELETE" })).toMatchObject({ status: 204 });
  expect(await send(`/v1/keys/${spare.id}/revoke`, { method: "POST" })).toMatchObject({ status: 200 });
  expect(await oneOffer(test, shop.serverKey)).toMatchObject({ id: expect.any(String) });
  expect((await ask(test.app, { key: shop.serverKey, body: {} })).status).toBe(200);

  freeMib = 3000;
  // Nobody asks: svc looks by itself.
  await eventually(async () => (await send(`/v1/queues/${queue.id}/send`, { body: message })).status === 200);
  await bucketClient.put(bucket.name, "new");
  expect(await ready()).toMatchObject({ status: 200, alarm: undefined });
  expect(await send(`/v1/queues/${queue.id}`, { method: "DELETE" })).toMatchObject({ status: 204 });
});
