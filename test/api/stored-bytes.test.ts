import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Resource } from "../../server/cloud/core/records/resource";
import { addStoredBytes } from "../../server/cloud/core/stored-bytes/add-stored-bytes";
import { StoredBytes } from "../../server/cloud/core/stored-bytes/stored-bytes";
import { startEdge } from "../../server/cloud/edge/workers/start-edge";
import { quotasOf } from "../../server/identity/quotas/list-quotas";
import { setQuota } from "../../server/identity/quotas/set-quota";
import type { Scope } from "../../server/operation/actor";
import { testAlarms } from "../factories/alarms";
import { eventually, makeTenant, ShiftedClock, testApp } from "../factories/app";
import { platformKey, raiseRate } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { QueueClient } from "../factories/queues";
import { StorageClient } from "../factories/storage";

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMIT = 400 * KIB;
const LINE_BYTES = 20_000;
const SCOPES: Scope[] = ["queues:read", "queues:write", "edge:read", "edge:write", "storage:read", "storage:write"];

const clock = new ShiftedClock();
const test = await openForFile(testApp({ clock, rounds: "manual" }));

/** A tenant with a queue and a bucket. */
async function storingTenant(limit = LIMIT) {
  const ctx = await makeTenant(test);
  const { tenantId } = ctx;
  await raiseRate(test, tenantId);
  await setQuota(test.app.account, { tenant_id: tenantId, resource: "stored_bytes", limit });
  const key = await platformKey(ctx, { scopes: SCOPES });
  const [api, storage] = [new QueueClient(test, key), new StorageClient(test, key)];
  const queue = await api.create("work");
  const bucket = await storage.create(`bucket-${tenantId.replace("_", "-")}`);
  return {
    tenantId,
    api,
    storage,
    bucket,
    send: (bytes: number) => api.call(`/queues/${queue.id}/send`, { body: { body: "x".repeat(bytes) } }),
    putKv: (name: string, bytes: number) =>
      api.call(`/edge/kv/cache/keys/${name}`, { method: "PUT", body: { value: "x".repeat(bytes) } }),
    putObject: (name: string, bytes: number) => storage.putBytes(bucket.name, name, Buffer.alloc(bytes)),
    deleteKv: (name: string) => api.call(`/edge/kv/cache/keys/${name}`, { method: "DELETE" }),
    deleteQueue: () => api.call(`/queues/${queue.id}`, { method: "DELETE" }),
    used: () => usedOf(tenantId),
  };
}

/** A tenant with a store of logs. */
async function telemetryTenant() {
  const ctx = await makeTenant(test);
  const { tenantId } = ctx;
  await raiseRate(test, tenantId);
  await setQuota(test.app.account, { tenant_id: tenantId, resource: "stored_bytes", limit: LIMIT });
  const api = new QueueClient(test, await platformKey(ctx, { scopes: ["gpuc:read", "gpuc:write"] }));
  await api.call("/activations", { body: { service: "observe" } });
  const { body: store } = await api.call<Resource & { secrets: { ingest_token: string } }>("/resources", {
    body: { service: "observe", kind: "log", name: "logs" },
  });
  const headers = { authorization: `Bearer ${store.secrets.ingest_token}`, "content-type": "application/json" };
  const sendLog = async (text: string) => {
    const body = JSON.stringify({
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: text } }] }] }],
    });
    const request = new Request(store.endpoints[0]?.url ?? "", { method: "POST", headers, body });
    const response = await test.app.platform.fetch(request, { address: "127.0.0.1" });
    return { status: response.status, body: await response.json() };
  };
  return { rid: store.rid, api, sendLog, used: () => usedOf(tenantId) };
}

const usedOf = async (tenantId: string) =>
  (await quotasOf(test.app.account, tenantId)).find(({ resource }) => resource === "stored_bytes")?.used;

/** Everything that is due is measured. */
async function measured(): Promise<void> {
  clock.advance(60_000);
  await test.app.settle();
}

describe("the limit of stored bytes", () => {
  it("A fills it with messages, KV and objects: A is refused with what to delete, B goes on, and A goes on when it has deleted", async () => {
    const [a, b] = [await storingTenant(), await storingTenant()];
    expect((await a.send(150 * KIB)).status).toBe(200);
    expect((await a.putKv("big", 100 * KIB)).status).toBe(200);
    await a.putObject("file", 120 * KIB);
    const refused = await a.send(100 * KIB);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: {
          code: "quota_exceeded",
          message: expect.stringMatching(/queues take 150\.\d KiB \(acknowledge messages/),
          details: {
            resource: "stored_bytes",
            limit: LIMIT,
            nouns: [
              { noun: "queues", bytes: expect.any(Number), remedy: expect.stringContaining("purge") },
              { noun: "objects", bytes: 120 * KIB, remedy: expect.stringContaining("delete objects") },
              { noun: "kv", bytes: 100 * KIB + 3, remedy: expect.stringContaining("KV") },
            ],
          },
        },
      },
    });
    expect(refused.headers.get("retry-after")).toBeNull();
    expect((await a.putKv("more", 100 * KIB)).status).toBe(429);
    await a.putObject("rest", 29 * KIB);
    await expect(a.putObject("again", 10 * KIB)).rejects.toMatchObject({ code: "quota_exceeded" });
    // Reading goes on, and so does B.
    expect((await a.api.call("/edge/kv/cache/keys/big")).status).toBe(200);
    expect(await a.storage.bytes(a.bucket.name, "file")).toHaveLength(120 * KIB);
    expect((await b.send(100 * KIB)).status).toBe(200);
    expect((await b.putKv("big", 100 * KIB)).status).toBe(200);
    await b.putObject("file", 10 * KIB);

    expect((await a.deleteKv("big")).status).toBe(204);
    await eventually(async () => {
      await measured();
      return (await a.send(90 * KIB)).status === 200;
    });
    await a.deleteQueue();
    await eventually(async () => {
      await measured();
      return (await a.used()) === 149 * KIB;
    });
    await a.putObject("again", 200 * KIB);
  });

  it("counts what functions and checkpoints store, and finds what nobody counted", async () => {
    const a = await storingTenant();
    const { db } = test.engines;
    const now = clock.now();
    const project = await db.project.findFirstOrThrow({ where: { tenantId: a.tenantId } });
    const owner = { tenantId: a.tenantId, projectId: project.id, mode: "live" as const };
    const versions = { create: { number: 1, code: "x".repeat(50 * KIB), entry: "default", createdAt: now } };
    const settings = { env: {}, version: 1, timeoutMs: 1000, concurrencyMax: 1, createdAt: now, updatedAt: now };
    const id = `fn_${a.tenantId}`;
    await db.cloudFunction.create({ data: { id, ...owner, name: "f", ...settings, versions } });
    const call = { functionId: id, version: 1, isAsync: true, status: "succeeded" as const, createdAt: now };
    const result = "x".repeat(20 * KIB);
    await db.functionInvocation.create({
      data: { id: `inv_${a.tenantId}`, ...owner, ...call, result, logs: "", isCounted: true },
    });
    test.app.cloud.storedBytes.count(a.tenantId, "functions", 0);
    await eventually(async () => {
      await measured();
      return (await a.used()) === 70 * KIB;
    });
    const checkpoint = { tenantId: a.tenantId, noun: "checkpoints" as const, now };
    await db.$transaction((tx) => addStoredBytes(tx, { ...checkpoint, bytes: 300 * KIB }));
    const more = db.$transaction((tx) => addStoredBytes(tx, { ...checkpoint, bytes: 31 * KIB }));
    await expect(more).rejects.toMatchObject({ code: "quota_exceeded", details: { resource: "stored_bytes" } });
    expect(await a.used()).toBe(370 * KIB);
  });

  it("counts SQL databases: A is refused what makes one larger, reads and deletes, and B goes on", async () => {
    const [a, b] = [await storingTenant(12 * MIB), await storingTenant(12 * MIB)];
    const edge = startEdge({
      ...test.app.cloud,
      rootDir: test.config.rootDir,
      log: pino({ level: "silent" }),
      publicUrl: "http://svc.test",
      edgeDomain: undefined,
      workerd: { call: () => Promise.reject() },
    });
    const ownerIn = async ({ tenantId }: { tenantId: string }) => {
      const project = await test.engines.db.project.findFirstOrThrow({ where: { tenantId } });
      return { tenantId, projectId: project.id, mode: "live" as const };
    };
    const [ofA, ofB] = [await ownerIn(a), await ownerIn(b)];
    for (const one of [ofA, ofB]) await edge.databases.ensure(one, "shop");
    const run = (at: typeof ofA, sql: string) => edge.databases.run(at, "shop", [{ sql, params: [] }]);
    const fill = (at: typeof ofA, mib: number) =>
      run(at, `INSERT INTO t SELECT string_agg(md5(i::text), '') FROM generate_series(1, ${mib} * 32768) i`);
    for (const one of [ofA, ofB]) {
      await run(one, "CREATE TABLE t (x text)");
      await run(one, "ALTER TABLE t ALTER x SET STORAGE EXTERNAL");
    }
    await fill(ofA, 2);
    // More than what is left in one call: nothing of it is stored.
    await expect(fill(ofA, 3)).rejects.toMatchObject({
      code: "quota_exceeded",
      message: expect.stringMatching(/databases take .* \(drop tables/),
      details: { resource: "stored_bytes", nouns: [{ noun: "databases", bytes: expect.any(Number) }] },
    });
    expect(await run(ofA, "SELECT count(*) FROM t")).toMatchObject([{ rows: [["1"]] }]);
    await fill(ofB, 3);
    await setQuota(test.app.account, { tenant_id: a.tenantId, resource: "stored_bytes", limit: 8 * MIB });
    await eventually(async () => (await a.send(1)).status === 429);
    await expect(run(ofA, "UPDATE t SET x = ''")).rejects.toMatchObject({ code: "quota_exceeded" });
    await expect(edge.databases.ensure(ofA, "more")).rejects.toMatchObject({ code: "quota_exceeded" });
    await run(ofA, "TRUNCATE t");
    // What PostgreSQL has on its disk.
    const { rows } = await test.engines.sql.query<{ bytes: number }>(
      `SELECT pg_database_size('svc_' || id)::float8 AS bytes FROM edge_sql_databases WHERE tenant_id = $1`,
      [a.tenantId],
    );
    await eventually(async () => {
      await measured();
      return (await a.used()) === rows[0]?.bytes;
    });
    await edge.stop();
  });

  it("counts telemetry as it is stored: A is refused more records, reads and deletes its own, and B goes on", async () => {
    const [a, b] = [await telemetryTenant(), await telemetryTenant()];
    expect((await a.sendLog("first")).status).toBe(200);
    let status = 200;
    let sentBytes = 0;
    for (; status === 200 && sentBytes < 2 * LIMIT; sentBytes += LINE_BYTES) {
      const sent = await a.sendLog(randomBytes(LINE_BYTES).toString("latin1"));
      status = sent.status;
      if (status !== 200)
        expect(sent).toMatchObject({
          body: {
            message: expect.stringContaining("delete telemetry stores"),
            details: [{ reason: "quota_exceeded" }],
          },
        });
    }
    expect(status).toBe(429);
    expect((await b.sendLog(randomBytes(LINE_BYTES).toString("latin1"))).status).toBe(200);
    const found = await a.api.call<{ data: unknown[] }>(`/observe/${a.rid}/records?contains=first`);
    expect(found.body.data).toHaveLength(1);
    // Random text hardly compresses; JSON has more bytes than what is stored.
    await eventually(async () => {
      await measured();
      const used = (await a.used()) ?? 0;
      return used > LIMIT / 4 && used < LIMIT;
    });
    expect((await a.api.call(`/resources/${a.rid}`, { method: "DELETE" })).status).toBeLessThan(300);
    await eventually(async () => {
      await measured();
      return (await a.used()) === 0;
    });
  });

  it("holds for all processes together, and one call at a time takes what is left", async () => {
    const { tenantId } = await storingTenant();
    const { sql, counters } = test.engines;
    // As in two processes.
    const start = () => StoredBytes.start({ sql, counters, clock, alarms: testAlarms({ sql }) });
    const [one, other] = [await start(), await start()];
    const takes = Array.from({ length: 10 }, () => one.storedBytes.take(tenantId, "queues", 100 * KIB));
    const results = await Promise.allSettled(takes);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    await one.storedBytes.store();
    await expect(other.storedBytes.assertRoom(tenantId)).rejects.toMatchObject({ details: { used: LIMIT } });
    await setQuota(test.app.account, { tenant_id: tenantId, resource: "stored_bytes", limit: 2 * LIMIT });
    await eventually(() =>
      other.storedBytes.assertRoom(tenantId, KIB).then(
        () => true,
        () => false,
      ),
    );
    await Promise.all([one.stop(), other.stop()]);
  });
});
