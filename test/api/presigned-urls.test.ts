import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { presignObject } from "../../server/cloud/data/buckets/presign-object";
import { revokeApiKey } from "../../server/identity/api-keys/revoke-api-key";
import { rotateApiKey } from "../../server/identity/api-keys/rotate-api-key";
import { eventually, TEST_REQUEST } from "../factories/app";
import type { CloudCtx } from "../factories/cloud-ctx";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Server, s3Tenant } from "../factories/s3";
import { StorageClient } from "../factories/storage";

const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const client = new StorageClient(server.test, (await tenant.key()).bearer);
const bucket = (await client.create("presigned", { versioning: "on" })).name;

type Presigned = { url: string; method: string; headers: Record<string, string>; bucket: string };
async function presign(fields: object, by = client): Promise<Presigned> {
  const { status, body } = await by.call<Presigned>("/presign", { body: { bucket, ...fields } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
/** Without the content-length, which fetch sends by itself. */
const use = ({ url, method, headers }: Presigned, body?: string, more: Record<string, string> = {}) => {
  const { "content-length": _, ...rest } = headers;
  return fetch(url, { method, headers: { ...rest, ...more }, ...(body !== undefined && { body }) });
};
const KEYS = ["plain", "folder/größe 日本 (1)!'*.txt", "100%2F?#&=+~", "double//slash/"];

describe("a presigned URL", () => {
  it.each(KEYS)("stores and reads %s without credentials", async (key) => {
    const stored = await use(await presign({ key, operation: "put_object", content_type: "text/plain" }), key);
    expect([stored.status, await stored.text()]).toEqual([200, ""]);
    const response_content_disposition = 'attachment; filename="a (b).txt"';
    const read = await use(await presign({ key, operation: "get_object", response_content_disposition }));
    expect([read.status, await read.text(), read.headers.get("content-type")]).toEqual([200, key, "text/plain"]);
    expect(read.headers.get("content-disposition")).toBe(response_content_disposition);
    const { body } = await client.call<{ key: string; size: number }>(
      `/buckets/${bucket}/objects/${encodeURIComponent(key)}`,
    );
    expect(body).toMatchObject({ key, size: Buffer.byteLength(key) });
  });

  it("reads one version", async () => {
    const put = await presign({ key: "versioned", operation: "put_object" });
    const first = (await use(put, "1")).headers.get("x-amz-version-id");
    await use(put, "2");
    const read = await presign({ key: "versioned", operation: "get_object", version_id: first ?? "" });
    expect(await (await use(read)).text()).toBe("1");
    const none = await presign({ key: "nothing", operation: "get_object" });
    expect((await use(none)).status).toBe(404);
  });

  it("stores only what it was signed for", async () => {
    const put = { key: "bounded", operation: "put_object" };
    const exact = await presign({ ...put, content_length: 3, content_type: "text/plain" });
    expect((await use(exact, "abcd")).status).toBe(403);
    expect((await use(exact, "abc", { "content-type": "text/html" })).status).toBe(403);
    expect((await use({ ...exact, url: exact.url.replace("/bounded?", "/other?") }, "abc")).status).toBe(403);
    expect((await use({ ...exact, method: "GET" })).status).toBe(403);
    expect((await use(exact, "abc")).status).toBe(200);
    const range = await presign({ ...put, content_length_min: 2, content_length_max: 3 });
    const statuses = [];
    for (const body of ["a", "ab", "abc", "abcd"]) statuses.push((await use(range, body)).status);
    expect(statuses).toEqual([400, 200, 200, 400]);
    const wider = { ...range, url: range.url.replace("2%2C3", "2%2C9") };
    expect((await use(wider, "abcd")).status).toBe(403);
  });

  it("ends at its time, which is signed", async () => {
    const read = await presign({ key: "bounded", operation: "get_object", expires_in: 60 });
    expect((await use(read)).status).toBe(200);
    const late = new URL(read.url);
    late.searchParams.set("X-Amz-Expires", "600");
    expect((await fetch(late)).status).toBe(403);
    server.test.clock.advance(61_000);
    expect((await use(read)).status).toBe(403);
  });

  it("and S3 credentials end with the key: at a rotation without grace, and when it is revoked", async () => {
    const { ctx } = tenant;
    const [one, two] = [await tenant.key(), await tenant.key()];
    const change = { ...ctx, counters: server.test.app.cloud.counters };
    for (const [key, end] of [
      [one, () => rotateApiKey.run(change, { id: one.id, grace_seconds: 0 })],
      [two, () => revokeApiKey.run(change, { id: two.id })],
    ] as const) {
      const by = new StorageClient(server.test, key.bearer);
      const read = await presign({ key: "bounded", operation: "get_object", bucket }, by);
      const s3 = s3Client(server, key.credentials);
      expect((await use(read)).status).toBe(200);
      await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
      await end();
      await eventually(async () => (await use(read)).status === 403);
      await expect(s3.send(new ListObjectsV2Command({ Bucket: bucket }))).rejects.toThrow();
    }
  });

  it("of a person works as long as the person has the right", async () => {
    const { test } = server;
    const ctx: CloudCtx = { ...test.app.cloud, actor: tenant.ctx.actor, request: TEST_REQUEST };
    const input = { bucket, key: "by a person", operation: "put_object" };
    expect((await use(await presignObject.run(ctx, presignObject.input.parse(input)), "x")).status).toBe(200);
  });
});

it("credentials have the scopes of the key, and a key of another project or tenant gets 403", async () => {
  const put = new PutObjectCommand({ Bucket: bucket, Key: "scoped", Body: "x" });
  const reader = s3Client(server, (await tenant.key({ scopes: ["storage:read"] })).credentials);
  await expect(reader.send(put)).rejects.toMatchObject({ name: "AccessDenied" });
  await reader.send(new GetObjectCommand({ Bucket: bucket, Key: "bounded" }));
  const other = await s3Tenant(server);
  const strangers = [
    await tenant.key({ projectId: await tenant.project() }),
    await tenant.key({ mode: "test" }),
    await other.key(),
  ];
  for (const { credentials } of strangers) {
    await expect(s3Client(server, credentials).send(put)).rejects.toMatchObject({ name: "AccessDenied" });
  }
});

it("the settings of a bucket apply at the S3 endpoint as soon as they are changed", async () => {
  const { url } = server;
  const { bearer } = await tenant.key();
  const by = new StorageClient(server.test, bearer);
  await by.create("made-public");
  const put = await presign({ bucket: "made-public", key: "a", operation: "put_object" }, by);
  expect((await use(put, "x")).status).toBe(200);
  const anonymous = async () => (await fetch(`${url}/made-public/a`)).status;
  expect(await anonymous()).toBe(403);
  await by.call("/buckets/made-public", { method: "PATCH", body: { public_read: true } });
  await eventually(async () => (await anonymous()) === 200);
  await by.call("/buckets/made-public?force=true", { method: "DELETE" });
  // 404 until the deletion has ended, and then the 403 of any bucket that anonymous requests cannot see.
  await eventually(async () => [403, 404].includes(await anonymous()));
});
