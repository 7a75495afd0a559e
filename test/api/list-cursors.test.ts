import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createAdvertiser } from "../../server/ads/advertisers/create-advertiser";
import { creditTenant } from "../../server/ads/balances/credit-tenant";
import { createChannelKey } from "../../server/ads/channels/create-channel-key";
import { reportConversion } from "../../server/ads/conversions/report-conversion";
import { ManualClock } from "../../server/kernel/clock";
import { SCOPES } from "../../server/operation/actor";
import { call, feedBoot, makeCampaign, makeChannel, makeCreative, ndjson, uploadFeed } from "../factories/ads";
import { makeTenant, testApp } from "../factories/app";
import { makeInvoice } from "../factories/billing";
import { manage, platformKey, raiseRate, refusalOf } from "../factories/calls";
import { loggedChat } from "../factories/chat-ledger-scene";
import {
  makeCheckpoint,
  makeNodeEvent,
  makeReservation,
  makeSandbox,
  makeSharedVolume,
  makeShieldFinding,
  makeShieldScan,
  makeVolumeSnapshot,
  makeWorkspace,
} from "../factories/cloud-rows";
import { openForFile } from "../factories/open-for-file";
import { idleNode, PodClient } from "../factories/pod-scene";
import { platformRows } from "../factories/rows";
import { StorageClient } from "../factories/storage";

/** Every operation that returns pages. */
const LISTS = platformRows.filter(({ method, input }) => method === "GET" && "cursor" in input.shape);

/** Values of the parameters of a path. */
const ids: Record<string, string> = {};

/** A cluster and two node groups of it, which are placeholders here. Returns its id. */
async function clusterWithGroups(key: string): Promise<string> {
  const create = async (fields: object) =>
    (await manage(test, "/v1/resources", { key, body: { service: "cks", name: randomUUID(), ...fields } })).json();
  const { rid } = (await create({})) as { rid: string };
  for (let i = 0; i < 2; i++) await create({ kind: "node_group", spec: { cluster_id: rid, sku: "H100" } });
  return rid;
}

/** A store of telemetry with two records of one time. Returns its id. */
async function storeWithRecords(key: string): Promise<string> {
  await manage(test, "/v1/activations", { key, body: { service: "observe" } });
  const store = { service: "observe", kind: "log", name: "listed" };
  const { rid } = (await (await manage(test, "/v1/resources", { key, body: store })).json()) as { rid: string };
  const timeUnixNano = `${Date.now()}000000`;
  const logRecords = [{ timeUnixNano }, { timeUnixNano }];
  const body = { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
  await manage(test, `/v1/observe/${rid}/otlp/v1/logs`, { key, body });
  return rid;
}

/** A month with a credit has a statement. */
const creditIn = (month: string, tenant_id: string) =>
  creditTenant(
    { db: test.engines.db, clock: new ManualClock(new Date(`${month}-15T00:00:00Z`)), currency: "USD" },
    { tenant_id, amount_micros: 1 },
  );

const test = await openForFile(testApp());
await idleNode(test);
const [ctx, stranger] = [await makeTenant(test), await makeTenant(test)];
for (const { tenantId } of [ctx, stranger]) await raiseRate(test, tenantId);
const keyOf = (of: typeof ctx, mode: "live" | "test") => platformKey(of, { mode, scopes: [...SCOPES] });
const live = await keyOf(ctx, "live");
const made = await manage(test, "/v1/keys", { key: live, body: { name: "other", scopes: SCOPES } });
const { key: otherLive } = (await made.json()) as { key: string };
const keys = { live, otherLive, test: await keyOf(ctx, "test"), stranger: await keyOf(stranger, "live") };
// Two of everything, so that each list has a second page.
for (const mode of ["live", "live", "test", "test"] as const) {
  await call(ctx, createAdvertiser, { name: "Acme" });
  const channel = await makeChannel(ctx, { mode });
  const campaign = await makeCampaign(ctx, { mode });
  if (mode === "live") Object.assign(ids, { channels: channel.id, campaigns: campaign.id });
}
for (const id of ["1", "2"]) {
  await makeCreative(ctx, ids.campaigns ?? "");
  await call(ctx, createChannelKey, { id: ids.channels, kind: "server" });
  await call(ctx, reportConversion, { order_id: id, value_micros: 1, mode: "live" });
}
for (const key of [live, live, keys.test, keys.test]) {
  const fields = { name: "w", url: "https://receiver.example/", events: ["*"] };
  const webhook = await manage(test, "/v1/webhooks", { key, body: fields });
  if (key === live) ids.webhooks = ((await webhook.json()) as { id: string }).id;
  // Created, and waiting for memory: two entries in its timeline.
  const pod = await new PodClient(test, key).create({ image: "alpine", memory_mb: 1_000_000 });
  if (key === live) ids.pods = pod.id;
  await manage(test, "/v1/queues", { key, body: { name: randomUUID() } });
  const budget = { name: randomUUID(), tokens: 1, window: "day" };
  await manage(test, "/v1/gateway/budgets", { key, body: budget });
  await loggedChat(test, key);
  const upstream = { name: randomUUID(), base_url: "https://api.example/v1", models: [{ name: "m" }] };
  await manage(test, "/v1/gateway/upstreams", { key, body: upstream });
  const fn = await manage(test, "/v1/functions", { key, body: { name: randomUUID() } });
  if (key === live) ids.functions = ((await fn.json()) as { id: string }).id;
  const code = "export default { fetch: () => new Response() };";
  await manage(test, "/v1/edge/functions", { key, body: { name: randomUUID(), code } });
  await manage(test, "/v1/secrets", { key, body: { name: randomUUID(), value: "v" } });
  const spec = { sku: "Genoa", image_id: "debian-12" };
  await manage(test, "/v1/resources", { key, body: { service: "cpu", name: randomUUID(), spec } });
  const bucket = await new StorageClient(test, key).create(randomUUID());
  if (key !== live) continue;
  ids.cluster = await clusterWithGroups(key);
  ids.store = await storeWithRecords(key);
  for (const kvKey of ["a", "b"])
    await manage(test, `/v1/edge/kv/listed/keys/${kvKey}`, { key, method: "PUT", body: { value: "v" } });
  ids.bucket = bucket.name;
  await new StorageClient(test, key).put(bucket.name, "1", "2");
}
for (let i = 0; i < 2; i++) {
  await manage(test, `/v1/webhooks/${ids.webhooks}/test`, { key: live, method: "POST" });
  await manage(test, `/v1/functions/${ids.functions}/invocations`, { key: live, body: {} });
}
const { projectId } = await test.engines.db.pod.findUniqueOrThrow({ where: { id: ids.pods ?? "" } });
const owner = { tenantId: ctx.tenantId, projectId, mode: "live" as const };
ids.rid = await makeSharedVolume(test.app.cloud, owner);
for (const month of ["2026-01", "2026-02"]) {
  await makeVolumeSnapshot(test.app.cloud, { ...owner, volumeId: ids.rid });
  await makeSandbox(test.app.cloud, { tenantId: ctx.tenantId, projectId, mode: "live" });
  await makeWorkspace(test.app.cloud, { tenantId: ctx.tenantId, projectId, mode: "live" });
  await creditIn(month, ctx.tenantId);
  await makeInvoice(test.app.cloud, { tenantId: ctx.tenantId, mode: "live", month });
  await makeCheckpoint(test.app.cloud, ids.pods ?? "");
  await makeReservation(test.app.cloud, { tenantId: ctx.tenantId, projectId });
  await makeShieldScan(test.app.cloud, { tenantId: ctx.tenantId, projectId });
  await makeNodeEvent(test.app.cloud, { tenantId: ctx.tenantId, projectId });
  await makeShieldFinding(test.app.cloud, { tenantId: ctx.tenantId, projectId });
}
await uploadFeed(ctx, ndjson(feedBoot("1"), feedBoot("2")), { id: ids.campaigns });

// All of it in one moment, as far as times say: no list needs them to tell its entries apart, but that of statements,
// which are months.
const { rows: timeColumns } = await test.engines.sql.query<{ update: string }>(`
  SELECT format('UPDATE %I SET %I = %L', table_name, column_name, now()) AS update
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('created_at', 'at', 'updated_at')
    AND table_name <> 'balance_entries'`);
// Without triggers, because entries of the audit log are not changed otherwise.
const updates = ["SET LOCAL session_replication_role = replica", ...timeColumns.map(({ update }) => update)];
await test.engines.sql.query(updates.join(";"));

const pathOf = (path: string): string =>
  path
    .replace(/\/(channels|campaigns|functions|pods|webhooks)\/\{id\}/, (_, noun: string) => `/${noun}/${ids[noun]}`)
    .replace("/observe/{rid}", `/observe/${ids.store}`)
    .replace("/clusters/{rid}", `/clusters/${ids.cluster}`)
    .replace("{rid}", ids.rid ?? "")
    .replace("{bucket}", ids.bucket ?? "")
    .replace("{namespace}", "listed");
const page = (path: string, key: string, query = "") => manage(test, `${pathOf(path)}?limit=1${query}`, { key });

async function cursorOf(path: string, query = ""): Promise<string> {
  const { next_cursor: cursor } = (await (await page(path, keys.live, query)).json()) as { next_cursor: string | null };
  if (cursor === null) throw new Error(`${path} has no second page`);
  return `&cursor=${cursor}`;
}

const INVALID = { status: 400, error: { param: "cursor", details: { reason: "cursor_invalid" } } };

interface Page {
  data: object[];
  next_cursor: string | null;
}

/** A page of a list. Of each entry the first field alone, which names it: others can change meanwhile. */
async function namesAt(path: string, query: string): Promise<{ names: unknown[]; next: string | null }> {
  const response = await manage(test, `${pathOf(path)}?${query}`, { key: keys.live });
  const { data, next_cursor: next } = (await response.json()) as Page;
  return { names: data.map((entry) => Object.values(entry)[0]), next };
}

describe.each(LISTS.map(({ id, path }) => [id, path]))("a cursor of %s", (_, path) => {
  it("leads through everything of one moment once, in the order of the whole list", async () => {
    const whole = await namesAt(path, "limit=1000");
    const seen: unknown[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const page = await namesAt(path, next === "" ? "limit=1" : `limit=1&cursor=${next}`);
      seen.push(...page.names);
      next = page.next;
    }
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual(whole.names);
  });

  it("opens for the tenant and mode that it was made for, whichever key asks", async () => {
    const cursor = await cursorOf(path);
    expect((await page(path, keys.live, cursor)).status).toBe(200);
    expect((await page(path, keys.otherLive, cursor)).status).toBe(200);
  });

  it("opens for no key of the other mode and of no other tenant", async () => {
    const cursor = await cursorOf(path);
    for (const key of [keys.test, keys.stranger]) {
      const refused = await refusalOf(await page(path, key, cursor));
      // What the list is a part of is invisible to them already.
      if (path.includes("{")) expect(refused.status).toBe(404);
      else expect(refused).toMatchObject(INVALID);
    }
  });

  it("opens no other list", async () => {
    const cursor = await cursorOf(path);
    for (const other of LISTS) {
      if (other.path === path) continue;
      expect([other.id, await refusalOf(await page(other.path, keys.live, cursor))]).toMatchObject([other.id, INVALID]);
    }
  });
});

it.each([
  ["/v1/ads/campaigns", "&status=active"],
  ["/v1/ads/conversions", "&attribution=none"],
  ["/v1/keys", "&state=active"],
  ["/v1/audit", "&action=campaign.*"],
])("a cursor of %s is bound to %s", async (path, filter) => {
  expect(await refusalOf(await page(path, keys.live, (await cursorOf(path)) + filter))).toMatchObject(INVALID);
  expect((await page(path, keys.live, (await cursorOf(path, filter)) + filter)).status).toBe(200);
});
