import { describe, expect, it } from "vitest";
import { testApp } from "../factories/app";
import { openForFile } from "../factories/open-for-file";
import { storageTenant } from "../factories/storage";

const DAY_MS = 86_400_000;
const test = await openForFile(testApp());
const tenant = await storageTenant(test);
const { client } = tenant;
const START = test.clock.now().getTime();
const inDays = (days: number) => new Date(START + days * DAY_MS).toISOString();

let names = 0;
const newName = () => `locked-${++names}`;
const refused = (status: number, code: string, reason: string) => ({
  status,
  body: { error: { code, details: { reason } } },
});
const LOCKED = refused(403, "forbidden", "object_locked");
const change = (bucket: string, body: object) => client.call(`/buckets/${bucket}`, { method: "PATCH", body });
const lock = (bucket: string, body: object) =>
  client.call<object>(`/buckets/${bucket}/objects/k/lock`, { method: "PATCH", body });
const remove = (bucket: string, query: string) =>
  client.call<object>(`/buckets/${bucket}/objects/k?${query}`, { method: "DELETE" });
const versionOf = async (bucket: string) =>
  (await client.call<{ version_id: string }>(`/buckets/${bucket}/objects/k`)).body.version_id;

describe("the lock of a bucket", () => {
  it("comes with versioning, which stays on, and its default retention is changed", async () => {
    const name = newName();
    const created = await client.create(name, { object_lock: {} });
    expect(created).toMatchObject({ versioning: "on", object_lock: { default_retention: null } });
    for (const versioning of ["off", "suspended"]) {
      expect(await change(name, { versioning })).toMatchObject(refused(409, "conflict", "object_lock_enabled"));
    }
    const default_retention = { mode: "compliance", years: 1 };
    expect((await change(name, { object_lock: { default_retention } })).body.object_lock).toEqual({
      default_retention,
    });
    expect((await change(name, { object_lock: {} })).body.object_lock).toEqual({ default_retention: null });
    expect((await change(name, { object_lock: null })).status).toBe(400);
    expect((await client.call(`/buckets/${name}`, { method: "DELETE" })).status).toBe(204);
  });

  it("needs versioning", async () => {
    const [name, off] = [newName(), newName()];
    const body = { name: off, versioning: "off", object_lock: {} };
    const required = refused(409, "conflict", "versioning_required");
    expect(await client.call("/buckets", { body })).toMatchObject(required);
    expect(await client.create(name)).toMatchObject({ versioning: "off", object_lock: null });
    expect(await change(name, { object_lock: {} })).toMatchObject(required);
    const { body: changed } = await change(name, { object_lock: {}, versioning: "on" });
    expect(changed).toMatchObject({ versioning: "on", object_lock: { default_retention: null } });
  });

  it.each([
    ["days and years", { mode: "governance", days: 1, years: 1 }],
    ["no period", { mode: "governance" }],
    ["no mode", { days: 1 }],
    ["an unknown mode", { mode: "GOVERNANCE", days: 1 }],
    ["no days", { mode: "governance", days: 0 }],
    ["too many days", { mode: "governance", days: 36_501 }],
    ["too many years", { mode: "governance", years: 101 }],
  ])("has no default retention with %s", async (_, default_retention) => {
    const body = { name: newName(), object_lock: { default_retention } };
    const { status, body: answer } = await client.call("/buckets", { body });
    expect([status, answer.error?.param]).toEqual([400, expect.stringMatching(/^object_lock/)]);
  });
});

describe("the lock of an object", () => {
  it("keeps its version until it ends, and a deletion of its bucket is refused until then", async () => {
    const name = newName();
    await client.create(name, { object_lock: {} });
    await client.put(name, "k");
    const version = `version_id=${await versionOf(name)}`;
    const retention = { mode: "governance", until: inDays(2) };
    expect(await lock(name, { retention, legal_hold: true })).toMatchObject({
      status: 200,
      body: { retention, legal_hold: true },
    });
    expect((await client.call(`/buckets/${name}/objects/k`)).body).toMatchObject({ retention, legal_hold: true });
    expect(await remove(name, version)).toMatchObject(LOCKED);
    expect(await remove(name, `${version}&bypass_governance_retention=true`)).toMatchObject(LOCKED);
    expect((await remove(name, "")).status).toBe(204);
    expect(await client.call(`/buckets/${name}?force=true`, { method: "DELETE" })).toMatchObject(
      refused(409, "conflict", "locked_objects"),
    );
    const version_id = version.split("=")[1];
    expect((await lock(name, { version_id, legal_hold: false })).body).toMatchObject({ retention, legal_hold: false });
    const shorter = { version_id, retention: { mode: "governance", until: inDays(1) } };
    expect(await lock(name, shorter)).toMatchObject(LOCKED);
    expect((await lock(name, { ...shorter, bypass_governance_retention: true })).body).toMatchObject({
      retention: shorter.retention,
    });
    expect(await remove(name, version)).toMatchObject(LOCKED);
    expect((await remove(name, `${version}&bypass_governance_retention=true`)).status).toBe(204);
    expect((await client.call(`/buckets/${name}?force=true`, { method: "DELETE" })).status).toBe(204);
  });

  it("is refused where there is none, and with a time that has passed", async () => {
    const [name, plain] = [newName(), newName()];
    await client.create(name, { object_lock: { default_retention: { mode: "compliance", days: 1 } } });
    await client.create(plain);
    for (const bucket of [name, plain]) await client.put(bucket, "k");
    expect(await lock(plain, { legal_hold: true })).toMatchObject(refused(409, "conflict", "no_object_lock"));
    const retention = { mode: "compliance", until: inDays(-1) };
    expect(await lock(name, { retention })).toMatchObject(refused(400, "invalid_request", "retain_until_passed"));
    expect((await lock(name, { retention: { mode: "x", until: inDays(3) } })).body.error?.param).toBe("retention.mode");
    expect(await lock(name, { retention: null, bypass_governance_retention: true })).toMatchObject(LOCKED);
    expect(await lock(name, { version_id: "0".repeat(30), legal_hold: true })).toMatchObject(
      refused(404, "not_found", "no_such_version"),
    );
  });

  it("follows the policy of the bucket, and another tenant does not see it", async () => {
    const name = newName();
    await client.create(name, { object_lock: {} });
    await client.put(name, "k");
    const Condition = { NumericGreaterThan: { "s3:object-lock-remaining-retention-days": "10" } };
    const statement = { Effect: "Deny", Principal: "*", Resource: `arn:aws:s3:::${name}/*` };
    const Statement = [
      { ...statement, Action: "s3:BypassGovernanceRetention" },
      { ...statement, Action: "s3:PutObjectRetention", Condition },
    ];
    await change(name, { policy: JSON.stringify({ Version: "2012-10-17", Statement }) });
    const denied = refused(403, "forbidden", "policy_denies");
    const until = (days: number) => ({ retention: { mode: "governance", until: inDays(days) } });
    expect(await lock(name, until(20))).toMatchObject(denied);
    expect((await lock(name, until(5))).status).toBe(200);
    expect(await lock(name, { ...until(1), bypass_governance_retention: true })).toMatchObject(denied);
    expect(await remove(name, "bypass_governance_retention=true")).toMatchObject(denied);
    const other = (await storageTenant(test)).client;
    const path = `/buckets/${name}/objects/k/lock`;
    expect(await other.call(path, { method: "PATCH", body: { legal_hold: true } })).toMatchObject(
      refused(404, "not_found", "no_such_bucket"),
    );
  });
});
