import { describe, expect, it } from "vitest";
import { createStorageCredentials } from "../../server/cloud/data/buckets/create-storage-credentials";
import { presignUrl } from "../../server/cloud/data/buckets/presign";
import { presignObject } from "../../server/cloud/data/buckets/presign-object";
import { announceAccessChange } from "../../server/identity/access-changed";
import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { revokeApiKey } from "../../server/identity/api-keys/revoke-api-key";
import { rotateApiKey } from "../../server/identity/api-keys/rotate-api-key";
import { ManualClock } from "../../server/kernel/clock";
import { type Scope, scopesOfRole } from "../../server/operation/actor";
import { eventually, TEST_REQUEST, testApp } from "../factories/app";
import type { CloudCtx } from "../factories/cloud-ctx";
import { openForFile } from "../factories/open-for-file";
import { StorageClient, storageTenant } from "../factories/storage";

const SCOPES: Scope[] = ["storage:read", "storage:write"];
const clock = new ManualClock(new Date("2026-11-20T09:00:00.500Z"));
const test = await openForFile(testApp({ clock }));
const tenant = await storageTenant(test);

interface Credentials {
  access_key_id: string;
  secret_access_key: string;
  expires_at: string | null;
}
const credentials = () => test.app.cloud.s3Credentials;
const person = (actor = tenant.ctx.actor): CloudCtx => ({ ...test.app.cloud, actor, request: TEST_REQUEST });

/** A new key of the tenant, in its first project, with a client. */
async function newKey(fields: object = {}) {
  const input = { name: "k", scopes: SCOPES, mode: "live", ...fields };
  const made = await createApiKey.run(tenant.ctx, createApiKey.input.parse(input));
  return { ...made, client: new StorageClient(test, made.key) };
}

async function credentialsOf(client: StorageClient): Promise<Credentials> {
  const { status, body } = await client.call<Credentials>("/credentials", { method: "POST", body: {} });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

describe("S3 credentials of an API key", () => {
  it("name the endpoint, have the rights of the key, and are recorded without the secret", async () => {
    const key = await newKey({
      scopes: ["storage:read", "ads:read"],
      allowed_addresses: ["127.0.0.1", "203.0.113.0/24"],
    });
    const made = await credentialsOf(key.client);
    expect(made).toMatchObject({
      endpoint: `${test.config.publicUrl}/v1/s3`,
      region: "us-east-1",
      force_path_style: true,
      expires_at: null,
    });
    const found = await credentials().find(made.access_key_id);
    expect(found?.secrets).toEqual([made.secret_access_key]);
    expect(found?.actor).toMatchObject({ kind: "key", keyId: key.id, mode: "live", tenantId: tenant.ctx.tenantId });
    expect([...(found?.actor.scopes ?? [])].sort()).toEqual(["ads:read", "storage:read"]);
    expect(["203.0.113.9", "198.51.100.1"].map((address) => found?.allows(address))).toEqual([true, false]);
    const [entry] = await test.app.cloud.db.$queryRaw<{ text: string }[]>`
      SELECT e::text AS text FROM audit_entries e WHERE action = 'storage_credentials.created'
        AND targets->0->>'id' = ${key.id}`;
    expect(entry?.text).toContain(made.access_key_id);
    expect(entry?.text).not.toContain(made.secret_access_key);
  });

  it("are different each time, and another id or nonce has another secret", async () => {
    const { client } = await newKey();
    const [one, two] = [await credentialsOf(client), await credentialsOf(client)];
    expect(one.secret_access_key).not.toBe(two.secret_access_key);
    const forged = one.access_key_id.slice(0, -1) + (one.access_key_id.endsWith("a") ? "b" : "a");
    expect((await credentials().find(forged))?.secrets).not.toContain(one.secret_access_key);
    for (const unknown of ["", "AKIAIOSFODNN7EXAMPLE", one.access_key_id.toUpperCase(), `${one.access_key_id}a`]) {
      expect(await credentials().find(unknown)).toBeUndefined();
    }
  });

  it("end with the key when it is revoked, in every process at once", async () => {
    const key = await newKey();
    const { access_key_id: id } = await credentialsOf(key.client);
    expect(await credentials().find(id)).toBeDefined();
    await revokeApiKey.run({ ...tenant.ctx, counters: test.app.cloud.counters }, { id: key.id });
    await eventually(async () => (await credentials().find(id)) === undefined);
  });

  it("end with the key when it expires", async () => {
    const key = await newKey({ expires_at: new Date(clock.now().getTime() + 86_400_000).toISOString() });
    const made = await credentialsOf(key.client);
    expect(made.expires_at).toBe(key.expires_at);
    expect(await credentials().find(made.access_key_id)).toBeDefined();
    clock.advance(86_400_000);
    expect(await credentials().find(made.access_key_id)).toBeUndefined();
  });

  it("survive a rotation for its grace period; the replaced secret gets none that live longer", async () => {
    const key = await newKey();
    const before = await credentialsOf(key.client);
    await credentials().find(before.access_key_id);
    const ctx = { ...tenant.ctx, counters: test.app.cloud.counters };
    const rotated = await rotateApiKey.run(ctx, { id: key.id, grace_seconds: 60 });
    const after = await credentialsOf(new StorageClient(test, rotated.key));
    expect(after.expires_at).toBeNull();
    // The holder of the replaced secret, which may be why the key was rotated.
    const late = await credentialsOf(key.client);
    expect(late.expires_at).toBe(rotated.previous_secret_until);
    for (const { access_key_id: id, secret_access_key: secret } of [before, late, after]) {
      expect((await credentials().find(id))?.secrets).toEqual([secret]);
    }
    clock.advance(60_000);
    expect((await credentials().find(after.access_key_id))?.secrets).toEqual([after.secret_access_key]);
    for (const ended of [before, late]) expect(await credentials().find(ended.access_key_id)).toBeUndefined();
  });

  it("are created by people with keys:write for keys of their tenant, and by keys for themselves only", async () => {
    const [key, other] = [await newKey(), await storageTenant(test)];
    const made = await createStorageCredentials.run(person(), { api_key_id: key.id });
    expect((await credentials().find(made.access_key_id))?.actor).toMatchObject({ keyId: key.id });
    const member = { ...tenant.ctx.actor, role: "member", scopes: scopesOfRole("member") } as CloudCtx["actor"];
    const run = (ctx: CloudCtx, input: object) =>
      createStorageCredentials.run(ctx, createStorageCredentials.input.parse(input));
    await expect(run(person(member), { api_key_id: key.id })).rejects.toMatchObject({ code: "forbidden" });
    await expect(run(person(), {})).rejects.toMatchObject({ code: "invalid_request", param: "api_key_id" });
    await expect(run(person(other.ctx.actor), { api_key_id: key.id })).rejects.toMatchObject({ code: "not_found" });
    const second = await newKey();
    const foreign = await second.client.call("/credentials", { method: "POST", body: { api_key_id: key.id } });
    expect(foreign.status).toBe(403);
    const useless = await newKey({ scopes: ["ads:read"] });
    await expect(run(person(), { api_key_id: useless.id })).rejects.toMatchObject({ code: "conflict" });
    await revokeApiKey.run({ ...tenant.ctx, counters: test.app.cloud.counters }, { id: key.id });
    await expect(run(person(), { api_key_id: key.id })).rejects.toMatchObject({ details: { reason: "key_ended" } });
  });
});

type Url = { url: string; method: "GET" | "PUT"; headers: Record<string, string>; expires_at: string; bucket: string };
const PUT = { key: "größe/a b.txt", operation: "put_object" };
const accessKeyOf = (url: string) => new URL(url).searchParams.get("X-Amz-Credential")?.split("/")[0] ?? "";

describe("a presigned URL", () => {
  it("is signed with a credential of the key, for the default bucket unless one is named", async () => {
    const key = await newKey();
    const fields = { ...PUT, expires_in: 600, content_type: "text/plain", content_length: 42 };
    const { status, body } = await key.client.call<Url>("/presign", { body: fields });
    expect([status, body.method, body.headers]).toEqual([
      200,
      "PUT",
      { "content-type": "text/plain", "content-length": "42" },
    ]);
    expect(body.expires_at).toBe(new Date(Math.floor(clock.now().getTime() / 1000) * 1000 + 600_000).toISOString());
    const url = new URL(body.url);
    expect(`${url.origin}${url.pathname}`).toBe(
      `${test.config.publicUrl}/v1/s3/${body.bucket}/gr%C3%B6%C3%9Fe/a%20b.txt`,
    );
    expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
    const accessKeyId = accessKeyOf(body.url);
    const [secretAccessKey = ""] = (await credentials().find(accessKeyId))?.secrets ?? [];
    const again = presignUrl({
      method: "PUT",
      url: `${url.origin}${url.pathname}`,
      headers: body.headers,
      query: { "x-id": "PutObject" },
      credential: { accessKeyId, secretAccessKey },
      region: "us-east-1",
      at: clock.now(),
      expiresSeconds: 600,
    });
    expect(again).toBe(body.url);
  });

  it("has the bounds of the length, the version and the disposition as signed parameters", async () => {
    const { client } = await newKey();
    const query = async (fields: object) =>
      new URL((await client.call<Url>("/presign", { body: { ...PUT, ...fields } })).body.url).searchParams;
    const range = "x-svc-content-length-range";
    expect((await query({ content_length_min: 1, content_length_max: 9 })).get(range)).toBe("1,9");
    expect((await query({ content_length_max: 9 })).get(range)).toBe("0,9");
    expect((await query({ content_length_min: 1 })).get(range)).toBe("1,5368709120");
    expect((await query({})).has(range)).toBe(false);
    const got = await query({ operation: "get_object", version_id: "v-1", response_content_disposition: "attachment" });
    expect([got.get("versionId"), got.get("response-content-disposition")]).toEqual(["v-1", "attachment"]);
  });

  it.each([
    [{ expires_in: 0 }, "expires_in"],
    [{ expires_in: 604_801 }, "expires_in"],
    [{ content_length: 1, content_length_max: 2 }, "content_length"],
    [{ content_length_min: 3, content_length_max: 2 }, "content_length_max"],
    [{ version_id: "v" }, "version_id"],
    [{ operation: "get_object", content_type: "text/plain" }, "content_type"],
    [{ key: "a/../b" }, "key"],
    [{ key: "" }, "key"],
    [{ key: "é".repeat(513) }, "key"],
    [{ content_type: "text/plain\r\nx: y" }, "content_type"],
    [{ operation: "delete_object" }, "operation"],
  ])("refuses %j with the field", async (fields, param) => {
    const { status, body } = await tenant.client.call("/presign", { body: { ...PUT, ...fields } });
    expect([status, body.error?.param]).toEqual([400, param]);
  });

  it("needs storage:write to store, and storage:read to read", async () => {
    const [reader, writer] = [await newKey({ scopes: ["storage:read"] }), await newKey({ scopes: ["storage:write"] })];
    const refused = { status: 403, body: { error: { details: { reason: "scope_missing", scope: "storage:write" } } } };
    expect(await reader.client.call("/presign", { body: PUT })).toMatchObject(refused);
    expect((await reader.client.call("/presign", { body: { ...PUT, operation: "get_object" } })).status).toBe(200);
    expect((await writer.client.call("/presign", { body: { ...PUT, operation: "get_object" } })).status).toBe(403);
  });

  it("does not outlive the key that created it, and says so", async () => {
    const key = await newKey({ expires_at: new Date(clock.now().getTime() + 86_400_000).toISOString() });
    const { body } = await key.client.call<Url>("/presign", { body: { ...PUT, expires_in: 604_800 } });
    expect(body.expires_at).toBe(key.expires_at);
  });

  it("of a person has the rights that the person has when it is used", async () => {
    const ctx = person();
    const { url } = await presignObject.run(ctx, presignObject.input.parse({ ...PUT, mode: "live" }));
    const id = accessKeyOf(url);
    const { tenantId, userId = "" } = { userId: "", ...tenant.ctx.actor };
    const found = await credentials().find(id);
    expect(found?.actor).toMatchObject({ kind: "person", userId, tenantId, role: "owner" });
    expect(found?.owner.mode).toBe("live");
    const { db, counters } = test.app.cloud;
    const where = { userId_tenantId: { userId, tenantId } };
    await db.membership.update({ where, data: { role: "member" } });
    await announceAccessChange(counters, userId);
    await eventually(async () => {
      const { actor } = (await credentials().find(id)) ?? {};
      return actor?.kind === "person" && actor.role === "member";
    });
    await db.user.update({ where: { id: userId }, data: { passwordHash: "another" } });
    await announceAccessChange(counters, userId);
    await eventually(async () => (await credentials().find(id)) === undefined);
    const next = await presignObject.run(ctx, presignObject.input.parse({ ...PUT, mode: "live" }));
    expect(await credentials().find(accessKeyOf(next.url))).toBeDefined();
    await db.membership.delete({ where });
    await announceAccessChange(counters, userId);
    await eventually(async () => (await credentials().find(accessKeyOf(next.url))) === undefined);
    await db.membership.create({ data: { userId, tenantId, role: "owner", createdAt: clock.now() } });
  });
});
