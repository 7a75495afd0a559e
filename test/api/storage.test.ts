import { pino } from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import type { Bucket } from "../../server/cloud/data/buckets/bucket";
import { createBucket } from "../../server/cloud/data/buckets/create-bucket";
import { listBuckets } from "../../server/cloud/data/buckets/list-buckets";
import { presignObject } from "../../server/cloud/data/buckets/presign-object";
import { sweepShield } from "../../server/cloud/shield/scans/sweep-shield";
import { startCloud } from "../../server/cloud/start-cloud";
import { ALL_EVENT_KINDS } from "../../server/event-kinds";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { StopStack } from "../../server/kernel/stop-stack";
import { testAlarms } from "../factories/alarms";
import { eventually, TEST_REQUEST, testApp } from "../factories/app";
import { manage } from "../factories/calls";
import type { CloudCtx } from "../factories/cloud-ctx";
import { openForFile } from "../factories/open-for-file";
import { storageClient, storageTenant } from "../factories/storage";
import { NO_OFFERS } from "../factories/webhooks";

let names = 0;
const newName = () => `bucket-${++names}`;
const test = await openForFile(testApp());
const tenant = await storageTenant(test);
const client = tenant.client;

const refused = (status: number, code: string, reason?: string) => ({
  status,
  body: { error: { code, ...(reason !== undefined && { details: { reason } }) } },
});
const setting = (resource: string, limit: number, tenantId = tenant.ctx.tenantId) =>
  setQuota(test.app.account, { tenant_id: tenantId, resource, limit });

/** The platform of another process on the same engines. */
const startProcess = (stops: StopStack) =>
  startCloud(
    { ...test.config, roles: new Set(["web"]) },
    {
      engines: test.engines,
      clock: test.clock,
      mail: test.app.account.mail,
      alarms: testAlarms(test.engines),
      stops,
      eventKinds: ALL_EVENT_KINDS,
      promptOffers: NO_OFFERS,
      log: pino({ level: "silent" }),
    },
  );

const UPWARDS = [
  { days: 1, tier: "cold" },
  { days: 2, tier: "warm" },
];

describe("a bucket", () => {
  it("is created, found by id and name, listed, changed and deleted; each change is recorded", async () => {
    const name = newName();
    const bucket = await client.create(name, { lifecycle_rules: [{ id: "a", expire_days: 1 }] });
    expect(bucket).toMatchObject({
      name,
      mode: "live",
      is_default: false,
      versioning: "off",
      public_read: false,
      deletion: null,
      lifecycle_rules: [{ id: "a", prefix: "", expire_days: 1, enabled: true }],
      usage: { objects: 0, versions: 0, bytes: 0 },
    });
    for (const each of [bucket.id, name]) expect((await client.call(`/buckets/${each}`)).body).toEqual(bucket);
    const list = await client.call<{ data: Bucket[] }>("/buckets");
    expect(list.body.data.map(({ id }) => id)).toContain(bucket.id);
    const cors_rules = [{ allowed_origins: ["*"], allowed_methods: ["GET"] }];
    const changed = await client.call(`/buckets/${name}`, { method: "PATCH", body: { cors_rules, public_read: true } });
    expect(changed.body).toMatchObject({
      public_read: true,
      cors_rules: [{ allowed_headers: [], max_age_seconds: 0 }],
    });
    expect(await client.call(`/buckets/${name}`, { method: "DELETE" })).toEqual({ status: 204, body: {} });
    expect(await client.call(`/buckets/${name}`)).toMatchObject(refused(404, "not_found", "no_such_bucket"));
    const types = await test.app.cloud.db.event.findMany({
      where: { tenantId: tenant.ctx.tenantId, data: { path: ["id"], equals: bucket.id } },
      orderBy: { sequence: "asc" },
    });
    expect(types.map(({ type }) => type)).toEqual(["bucket.created", "bucket.updated", "bucket.deleted"]);
    expect(types[1]?.data).toMatchObject({ changed: ["public_read", "cors_rules", "acl"] });
    // The name is free again.
    await client.create(name);
  });

  it.each([
    ["ab", "3 to 63"],
    ["a".repeat(64), "3 to 63"],
    ["Upper", "lower-case"],
    ["under_score", "lower-case"],
    ["-begins", "begin and end"],
    ["ends.", "begin and end"],
    ["two..dots", "two dots"],
    ["dot.-hyphen", "two dots"],
    ["192.168.5.4", "IP address"],
    ["xn--bucket", "xn--"],
    ["bucket-s3alias", "s3alias"],
    ["default-mine", "default-"],
  ])("may not be called %s: the error names the rule", async (name, rule) => {
    const { status, body } = await client.call("/buckets", { body: { name } });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: "name", message: expect.stringContaining(rule) });
  });

  it.each([
    [
      { cors_rules: [{ allowed_origins: ["https://*.*"], allowed_methods: ["GET"] }] },
      "cors_rules[0].allowed_origins[0]",
    ],
    [{ cors_rules: [{ allowed_origins: ["*"], allowed_methods: ["PATCH"] }] }, "cors_rules[0].allowed_methods[0]"],
    [{ lifecycle_rules: [{ id: "a" }] }, "lifecycle_rules[0]"],
    [{ lifecycle_rules: [{ id: "a", expire_days: 0 }] }, "lifecycle_rules[0].expire_days"],
    [
      { lifecycle_rules: [{ id: "a", transitions: [{ days: 1, tier: "hot" }] }] },
      "lifecycle_rules[0].transitions[0].tier",
    ],
    [{ lifecycle_rules: [{ id: "a", transitions: UPWARDS }] }, "lifecycle_rules[0].transitions"],
    [{ lifecycle_rules: [{ id: "a", transitions: UPWARDS.toReversed() }] }, "lifecycle_rules[0].transitions"],
    [
      { lifecycle_rules: [{ id: "a", expire_days: 1, transitions: [{ days: 1, tier: "warm" }] }] },
      "lifecycle_rules[0].expire_days",
    ],
    [{ tier: "frozen" }, "tier"],
    [{ lifecycle_rules: [1, 2].map((expire_days) => ({ id: "a", expire_days })) }, "lifecycle_rules"],
  ])("refuses the rules %j with the field", async (fields, param) => {
    const { status, body } = await client.call("/buckets", { body: { name: newName(), ...fields } });
    expect([status, body.error?.param]).toEqual([400, param]);
  });

  it("has a storage class for new objects; an archived one is restored for days, and the bytes of each class are counted", async () => {
    const name = newName();
    expect((await client.create(name, { tier: "warm" })).tier).toBe("warm");
    await client.put(name, "w");
    await client.call(`/buckets/${name}`, { method: "PATCH", body: { tier: "archive" } });
    await client.put(name, "old");
    expect((await client.call(`/buckets/${name}`)).body.usage.tiers).toEqual({ hot: 0, warm: 1, cold: 0, archive: 3 });
    type Found = { data: { key: string; tier: string }[] };
    const { data } = (await client.call<Found>(`/buckets/${name}/objects`)).body;
    expect(data.map(({ key, tier }) => [key, tier])).toEqual([
      ["old", "archive"],
      ["w", "warm"],
    ]);
    const restore = (key: string) =>
      client.call<object>(`/buckets/${name}/objects/${key}/restore`, { body: { days: 2 } });
    expect(await restore("w")).toMatchObject(refused(409, "conflict", "not_archived"));
    expect(await restore("none")).toMatchObject(refused(404, "not_found", "no_such_key"));
    const { status, body } = await restore("old");
    expect([status, body]).toEqual([200, expect.objectContaining({ key: "old", tier: "archive" })]);
    expect(await restore("old")).toMatchObject(refused(409, "conflict", "restore_in_progress"));
    expect((await client.call(`/buckets/${name}/objects/old`)).body).toEqual(body);
  });

  it("has a name that nobody else has, and the error does not say whose it is", async () => {
    const name = newName();
    const { id } = await client.create(name);
    const other = await storageTenant(test);
    const answer = await other.client.call("/buckets", { body: { name } });
    expect(answer).toMatchObject(refused(409, "conflict", "name_taken"));
    expect(JSON.stringify(answer.body)).not.toContain(id);
    const both = await Promise.all(
      [client, other.client].map((each) => each.call("/buckets", { body: { name: `${name}-x` } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it("is created once by a repeated request", async () => {
    const headers = { "idempotency-key": "5c1f7f1e-8a53-4b0e-9a55-5d8f0d6b2a11" };
    const create = () =>
      manage(test, "/v1/storage/buckets", { key: client.key, body: { name: "created-once" }, headers });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
  });

  it("keeps its versions: versioning that was on becomes suspended", async () => {
    const name = newName();
    await client.create(name);
    const set = async (versioning: string) =>
      (await client.call(`/buckets/${name}`, { method: "PATCH", body: { versioning } })).body.versioning;
    expect([await set("off"), await set("on"), await set("off"), await set("off"), await set("on")]).toEqual([
      "off",
      "on",
      "suspended",
      "suspended",
      "on",
    ]);
  });

  it("is invisible to other tenants, and to keys of other projects and modes", async () => {
    const [name, other] = [newName(), await storageTenant(test)];
    const { id } = await client.create(name);
    await client.put(name, "a");
    const strangers = [
      other.client,
      await storageClient(test, tenant.ctx),
      await storageClient(test, tenant.ctx, { mode: "test" }),
    ];
    for (const stranger of strangers) {
      for (const bucket of [id, name]) {
        for (const path of ["", "/usage", "/objects", "/objects/a"]) {
          expect(await stranger.call(`/buckets/${bucket}${path}`)).toMatchObject(refused(404, "not_found"));
        }
        const [patch, drop] = [{ method: "PATCH", body: {} }, { method: "DELETE" }];
        expect((await stranger.call(`/buckets/${bucket}`, patch)).status).toBe(404);
        expect((await stranger.call(`/buckets/${bucket}?force=true`, drop)).status).toBe(404);
        expect((await stranger.call(`/buckets/${bucket}/objects/a`, drop)).status).toBe(404);
        expect((await stranger.call(`/buckets/${bucket}/objects/delete`, { body: { keys: ["a"] } })).status).toBe(404);
        const presign = { bucket, key: "a", operation: "get_object" };
        expect((await stranger.call("/presign", { body: presign })).status).toBe(404);
      }
      expect((await stranger.call<{ data: Bucket[] }>("/buckets")).body.data).toEqual([]);
    }
    // A person of the tenant sees it.
    const ctx: CloudCtx = { ...test.app.cloud, actor: tenant.ctx.actor, request: TEST_REQUEST };
    const { data } = await listBuckets.run(ctx, listBuckets.input.parse({ mode: "live", limit: 1000 }));
    expect(data.map((bucket) => bucket.id)).toContain(id);
  });

  it("counts against the quota exactly, with 20 creations at once", async () => {
    const own = await storageTenant(test);
    await setting("buckets", 7, own.ctx.tenantId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => own.client.call("/buckets", { body: { name: newName() } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(answers.filter(({ body }) => body.error?.code === "quota_exceeded")).toHaveLength(13);
    const presign = { key: "a", operation: "get_object" };
    expect((await own.client.call("/presign", { body: presign })).body.error?.code).toBe("quota_exceeded");
  });
});

describe("objects", () => {
  const keys = ["a.txt", "folder/b.txt", "folder/deep/c.txt", "größe/日本 100%+.txt", "100%2F", "delete", "?#&=%"];
  let name: string;
  beforeAll(async () => {
    name = newName();
    await client.create(name);
    await client.put(name, ...keys);
  });
  type List = { data: { key: string }[]; common_prefixes: string[]; next_cursor: string | null };
  const inOrder = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

  it("are listed by prefix and delimiter, page by page", async () => {
    const list = (query: string) => client.call<List>(`/buckets/${name}/objects?${query}`);
    const root = (await list("delimiter=/")).body;
    expect(root.common_prefixes).toEqual(["folder/", "größe/"]);
    expect((await list("prefix=folder/&delimiter=/")).body).toMatchObject({
      data: [{ key: "folder/b.txt", size: 12, content_type: "text/plain", version_id: null }],
      common_prefixes: ["folder/deep/"],
    });
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: List = (await list(`limit=2${cursor && `&cursor=${cursor}`}`)).body;
      seen.push(...page.data.map(({ key }) => key));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(inOrder);
    const first = (await list("limit=1")).body.next_cursor;
    expect(await list(`limit=1&prefix=f&cursor=${first}`)).toMatchObject(
      refused(400, "invalid_request", "cursor_invalid"),
    );
  });

  it("have metadata, and are deleted, by a percent-encoded key", async () => {
    for (const key of keys) {
      const path = `/buckets/${name}/objects/${encodeURIComponent(key)}`;
      const { status, body } = await client.call<{ key: string; size: number }>(path);
      expect([key, status, body.key, body.size]).toEqual([key, 200, key, Buffer.byteLength(key)]);
    }
    const path = `/buckets/${name}/objects/${encodeURIComponent("größe/日本 100%+.txt")}`;
    expect((await client.call(path, { method: "DELETE" })).status).toBe(204);
    expect((await client.call(path, { method: "DELETE" })).status).toBe(204);
    expect(await client.call(path)).toMatchObject(refused(404, "not_found", "no_such_key"));
  });

  it("are deleted up to 1,000 at once", async () => {
    const bucket = newName();
    await client.create(bucket, { versioning: "on" });
    await client.put(bucket, "1", "2", "3");
    const remove = (these: string[]) => client.call(`/buckets/${bucket}/objects/delete`, { body: { keys: these } });
    expect(await remove(["1", "2", "2", "none"])).toEqual({ status: 200, body: { deleted: 3 } });
    const { body } = await client.call<List>(`/buckets/${bucket}/objects`);
    expect(body.data.map(({ key }) => key)).toEqual(["3"]);
    expect((await client.call(`/buckets/${bucket}`)).body.usage).toMatchObject({ objects: 1, versions: 3, bytes: 3 });
    const long = Array.from({ length: 1000 }, (_, i) => `${"ü".repeat(500)}${i}`);
    expect((await remove(long)).status).toBe(200);
    expect((await remove([...long, "x"])).status).toBe(400);
    expect((await remove([])).status).toBe(400);
    expect((await remove(["é".repeat(513)])).body.error?.param).toBe("keys[0]");
  });
});

describe("deleting", () => {
  it("a bucket that has objects, versions or delete markers is refused, and says what to do", async () => {
    const name = newName();
    await client.create(name, { versioning: "on" });
    await client.put(name, "a");
    const drop = () => client.call(`/buckets/${name}`, { method: "DELETE" });
    expect(await drop()).toMatchObject(refused(409, "conflict", "bucket_not_empty"));
    expect((await drop()).body.error?.message).toContain("force=true");
    await client.call(`/buckets/${name}/objects/a`, { method: "DELETE" });
    expect(await drop()).toMatchObject(refused(409, "conflict", "bucket_not_empty"));
  });

  it("an otherwise empty bucket ends its unfinished uploads", async () => {
    const name = newName();
    await client.create(name);
    const { db, objects } = test.app.cloud;
    const row = await db.bucket.findUniqueOrThrow({ where: { name } });
    const properties = { contentType: "text/plain", headers: {}, userMetadata: {} };
    await objects.createUpload(row, { key: "a", properties });
    expect((await client.call(`/buckets/${name}`, { method: "DELETE" })).status).toBe(204);
  });

  it("with force empties the bucket in the background, and records it", async () => {
    const name = newName();
    const { id } = await client.create(name, { versioning: "on" });
    await client.put(name, "a", "a", "b");
    await client.call(`/buckets/${name}/objects/b`, { method: "DELETE" });
    const started = await client.call(`/buckets/${name}?force=true`, { method: "DELETE" });
    expect(started).toMatchObject({ status: 202, body: { id, deletion: { deleted: 0, total: 3 } } });
    await eventually(async () => (await client.call(`/buckets/${name}`)).status === 404);
    const entries = await test.app.cloud.db.$queryRaw<{ action: string }[]>`
      SELECT action FROM audit_entries WHERE targets->0->>'id' = ${id} ORDER BY sequence`;
    expect(entries.map(({ action }) => action)).toEqual([
      "bucket.created",
      "bucket.deletion_started",
      "bucket.deleted",
    ]);
    const { rows } = await test.engines.sql.query("SELECT 1 FROM object_versions WHERE bucket_id = $1", [id]);
    expect(rows).toEqual([]);
  });
});

describe("the default bucket", () => {
  it("is created once by several processes at the same time, one for each mode", async () => {
    const own = await storageTenant(test);
    const { app } = test;
    const stops = new StopStack();
    const processes = [await startProcess(stops), await startProcess(stops)];
    const presign = (ctx: object, mode: string) => {
      const whole = { ...ctx, actor: own.ctx.actor, request: TEST_REQUEST } as CloudCtx;
      return presignObject.run(whole, presignObject.input.parse({ key: "a", operation: "put_object", mode }));
    };
    const calls = Array.from({ length: 12 }, (_, i) => presign(processes[i % 2]?.ctx ?? {}, i % 3 ? "live" : "test"));
    const made = new Set((await Promise.all(calls)).map(({ bucket }) => bucket));
    await stops.stop();
    const rows = await app.cloud.db.bucket.findMany({ where: { tenantId: own.ctx.tenantId } });
    expect(rows.map(({ name }) => name).sort()).toEqual([...made].sort());
    const digits = rows[0]?.projectId.slice(-10);
    expect([...made].sort()).toEqual([`default-${digits}-live`, `default-${digits}-test`]);
    expect(rows.every(({ isDefault }) => isDefault)).toBe(true);
  });
});

describe("the settings of a bucket for the S3 endpoint", () => {
  it("change at once in every process, and a name can be used as soon as it is created", async () => {
    const stops = new StopStack();
    const name = newName();
    const { bucketsByName: buckets } = (await startProcess(stops)).ctx;
    expect(await buckets.find(name)).toBeUndefined();
    await client.create(name);
    expect(await buckets.find(name)).toMatchObject({ name, publicRead: false });
    await client.call(`/buckets/${name}`, { method: "PATCH", body: { public_read: true } });
    await eventually(async () => (await buckets.find(name))?.publicRead === true);
    await client.call(`/buckets/${name}`, { method: "DELETE" });
    await eventually(async () => (await buckets.find(name)) === undefined);
    await stops.stop();
  });

  it("are read again after ten seconds when a message was lost", async () => {
    const [name, { bucketsByName: buckets, db }] = [newName(), test.app.cloud];
    await client.create(name);
    await buckets.find(name);
    await db.bucket.update({ where: { name }, data: { publicRead: true } });
    expect((await buckets.find(name))?.publicRead).toBe(false);
    test.clock.advance(10_001);
    expect((await buckets.find(name))?.publicRead).toBe(true);
  });
});

it("a person chooses the project and mode of a new bucket", async () => {
  const ctx: CloudCtx = { ...test.app.cloud, actor: tenant.ctx.actor, request: TEST_REQUEST };
  const bucket = await createBucket.run(ctx, createBucket.input.parse({ name: newName(), mode: "live" }));
  expect(bucket.mode).toBe("live");
});

interface Scan {
  id: string;
  status: string;
  progress: { objects: number; objects_total: number };
  findings: { critical: number; low: number };
}

describe("a scan of a bucket", () => {
  const scopes = ["storage:read", "storage:write", "shield:read", "shield:write"] as const;

  it("is run by a worker, waited for, and finds what keys of the project may see, with filters", async () => {
    const owner = await storageClient(test, tenant.ctx, { scopes: [...scopes] });
    const stranger = await storageTenant(test, { scopes: [...scopes] });
    const shield = async <T>(path: string, { body, key = owner.key }: { body?: object; key?: string } = {}) => {
      const response = await manage(test, `/v1/shield/${path}`, { key, ...(body && { body }) });
      return { status: response.status, body: (await response.json()) as T & { error?: { code: string } } };
    };
    const bucket = newName();
    await owner.create(bucket, { public_read: true });
    const token = "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";
    await owner.put(bucket, `exports/${token}`, "exports/nothing", "jane.doe@corp-mail.com");
    const asked = await shield<Scan>("scans", { body: { bucket, prefix: "exports/" } });
    expect(asked).toMatchObject({ status: 202, body: { status: "queued", bucket } });
    const again = await shield("scans", { body: { bucket } });
    expect(again).toMatchObject({ status: 409, body: { error: { details: { reason: "scan_running" } } } });
    const { body: ended } = await shield<Scan>(`scans/${asked.body.id}?wait_seconds=20`);
    expect(ended).toMatchObject({ status: "completed", progress: { objects: 2, objects_total: 2 } });
    expect(ended.findings).toMatchObject({ critical: 1, high: 1, low: 2 });
    const listed = await shield<{ data: object[] }>(`findings?bucket=${bucket}&prefix=exports/&category=secret`);
    expect(listed.body.data).toMatchObject([
      { rule: "github_token", severity: "critical", offset: 8, evidence: "ghp_…17 (40 characters)", status: "open" },
    ]);
    expect((await shield<{ data: object[] }>("findings?prefix=exports_")).body.data).toEqual([]);
    expect((await shield<{ data: object[] }>("findings?severity=high")).body.data).toMatchObject([
      { rule: "public_objects", key: null },
    ]);
    expect(await shield(`scans/${asked.body.id}/cancel`, { body: {} })).toMatchObject(
      refused(409, "conflict", "ended"),
    );
    const { key } = stranger.client;
    expect(await shield(`scans/${asked.body.id}`, { key })).toMatchObject(refused(404, "not_found"));
    expect((await shield<{ data: object[] }>("findings", { key })).body.data).toEqual([]);
    // Deleted buckets leave nothing behind.
    await owner.call(`/buckets/${bucket}?force=true`, { method: "DELETE" });
    await eventually(async () => (await test.engines.db.bucket.count({ where: { name: bucket } })) === 0);
    await sweepShield(test.app.cloud);
    expect((await shield<{ data: object[] }>("findings")).body.data).toEqual([]);
  });
});
