import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutBucketAclCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { describe, expect, it } from "vitest";
import { presignObject } from "../../server/cloud/data/buckets/presign-object";
import { updateBucket } from "../../server/cloud/data/buckets/update-bucket";
import { revokeApiKey } from "../../server/identity/api-keys/revoke-api-key";
import { eventually, TEST_REQUEST } from "../factories/app";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "access";
const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const key = await tenant.key();
const s3 = s3Client(server, key.credentials);
await s3.send(new CreateBucketCommand({ Bucket }));
await s3.send(new PutObjectCommand({ Bucket, Key: "stored", Body: "content", ContentType: "text/plain" }));

const cloud = () => ({ ...server.test.app.cloud, actor: tenant.ctx.actor, request: TEST_REQUEST });
const codeIn = (xml: string) => /<Code>(.*?)<\/Code>/.exec(xml)?.[1];
const answerOf = async (response: Response) => ({ status: response.status, code: codeIn(await response.text()) });
const signed = (options: { expiresIn?: number; signingDate?: Date } = {}) =>
  getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: "stored" }), options);

describe("a caller", () => {
  it.each<[string, () => Promise<S3Client>, string]>([
    [
      "of another tenant",
      async () => s3Client(server, (await (await s3Tenant(server)).key()).credentials),
      "AccessDenied",
    ],
    [
      "with a key of the other mode",
      async () => s3Client(server, (await tenant.key({ mode: "test" })).credentials),
      "AccessDenied",
    ],
    [
      "with a key of another project",
      async () => s3Client(server, (await tenant.key({ projectId: await tenant.project() })).credentials),
      "AccessDenied",
    ],
    [
      "with a wrong secret",
      async () => s3Client(server, { ...key.credentials, secretAccessKey: `${key.credentials.secretAccessKey}x` }),
      "SignatureDoesNotMatch",
    ],
    [
      "with an unknown access key id",
      async () => s3Client(server, { ...key.credentials, accessKeyId: "AKIAIOSFODNN7EXAMPLE" }),
      "InvalidAccessKeyId",
    ],
    [
      "with a made-up access key id of a real key",
      async () =>
        s3Client(server, {
          ...key.credentials,
          accessKeyId: key.credentials.accessKeyId.replace(/.$/, (last) => (last === "2" ? "3" : "2")),
        }),
      "SignatureDoesNotMatch",
    ],
  ])("%s gets nothing and changes nothing", async (_, make, code) => {
    const client = await make();
    for (const command of [
      new GetObjectCommand({ Bucket, Key: "stored" }),
      new ListObjectsV2Command({ Bucket }),
      new PutObjectCommand({ Bucket, Key: "stored", Body: "changed" }),
      new DeleteObjectCommand({ Bucket, Key: "stored" }),
      new DeleteBucketCommand({ Bucket }),
      new GetBucketVersioningCommand({ Bucket }),
      new PutBucketAclCommand({ Bucket, ACL: "public-read" }),
    ]) {
      expect(await s3Refusal(client.send(command as GetObjectCommand))).toEqual({ code, status: 403 });
    }
    expect((await s3Refusal(client.send(new HeadBucketCommand({ Bucket })))).status).toBe(403);
    const found = await s3.send(new GetObjectCommand({ Bucket, Key: "stored" }));
    expect(await found.Body?.transformToString()).toBe("content");
  });

  it("of another tenant cannot copy from a bucket, nor take its name", async () => {
    const other = s3Client(server, (await (await s3Tenant(server)).key()).credentials);
    await other.send(new CreateBucketCommand({ Bucket: "others" }));
    const copy = new CopyObjectCommand({ Bucket: "others", Key: "stolen", CopySource: `${Bucket}/stored` });
    expect((await s3Refusal(other.send(copy))).code).toBe("AccessDenied");
    expect(await s3Refusal(other.send(new CreateBucketCommand({ Bucket })))).toEqual({
      code: "BucketAlreadyExists",
      status: 409,
    });
    // As in us-east-1, creating one's own bucket again changes nothing.
    await s3.send(new CreateBucketCommand({ Bucket }));
  });

  it("with a key that may only read, or only write, does only that", async () => {
    const reader = s3Client(server, (await tenant.key({ scopes: ["storage:read"] })).credentials);
    await reader.send(new GetObjectCommand({ Bucket, Key: "stored" }));
    const put = new PutObjectCommand({ Bucket, Key: "new", Body: "x" });
    expect((await s3Refusal(reader.send(put))).code).toBe("AccessDenied");
    expect((await s3Refusal(reader.send(new CreateBucketCommand({ Bucket: "readers" })))).code).toBe("AccessDenied");
    const writer = s3Client(server, (await tenant.key({ scopes: ["storage:write"] })).credentials);
    await writer.send(put);
    expect((await s3Refusal(writer.send(new GetObjectCommand({ Bucket, Key: "new" })))).code).toBe("AccessDenied");
  });

  it("whose key was revoked is refused at once", async () => {
    const ended = await tenant.key();
    const client = s3Client(server, ended.credentials);
    await client.send(new GetObjectCommand({ Bucket, Key: "stored" }));
    await revokeApiKey.run({ ...tenant.ctx, ...server.test.app.account }, { id: ended.id });
    await eventually(async () => {
      const result = await client.send(new GetObjectCommand({ Bucket, Key: "stored" })).catch(({ name }) => name);
      return result === "InvalidAccessKeyId";
    });
  });

  it("may send a platform key as a bearer token instead of a signature", async () => {
    const url = `${server.url}/${Bucket}/by-curl`;
    const headers = { authorization: `Bearer ${key.bearer}` };
    expect((await fetch(url, { method: "PUT", headers, body: "curl" })).status).toBe(200);
    expect(await (await fetch(url, { headers })).text()).toBe("curl");
    const wrong = { authorization: `Bearer ${key.bearer.slice(0, -1)}` };
    expect(await answerOf(await fetch(url, { headers: wrong }))).toEqual({ status: 403, code: "AccessDenied" });
  });
});

describe("without credentials", () => {
  const url = (path: string) => `${server.url}/${path}`;

  it.each(["access/stored", "access/nothing", "access", "access?list-type=2", ""])("/%s is denied", async (path) => {
    expect(await answerOf(await fetch(url(path)))).toEqual({ status: 403, code: "AccessDenied" });
  });

  it("a bucket that does not exist is told from one that is private, as every caller of S3 can", async () => {
    expect(await answerOf(await fetch(url("no-such-bucket/a")))).toEqual({ status: 404, code: "NoSuchBucket" });
  });

  it("objects of a public bucket can be read, and nothing else", async () => {
    await s3.send(new CreateBucketCommand({ Bucket: "public" }));
    await updateBucket.run(cloud(), { bucket: "public", public_read: true });
    await s3.send(new PutObjectCommand({ Bucket: "public", Key: "page", Body: "hello" }));
    const found = await fetch(url("public/page"));
    expect([found.status, await found.text()]).toEqual([200, "hello"]);
    expect((await fetch(url("public/page"), { method: "HEAD" })).headers.get("content-length")).toBe("5");
    expect(await answerOf(await fetch(url("public/missing")))).toEqual({ status: 404, code: "NoSuchKey" });
    const other = s3Client(server, (await (await s3Tenant(server)).key()).credentials);
    await other.send(new GetObjectCommand({ Bucket: "public", Key: "page" }));
    for (const [path, method] of [
      ["public", "GET"],
      ["public?versions", "GET"],
      ["public?uploads", "GET"],
      ["public?acl", "GET"],
      ["public/page", "PUT"],
      ["public/page", "DELETE"],
      ["public/page?uploads", "POST"],
      ["public?delete", "POST"],
      ["public", "DELETE"],
    ] as const) {
      expect((await fetch(url(path), { method })).status).toBe(403);
    }
    expect(await answerOf(await fetch(url("public/page?response-content-type=text/html")))).toMatchObject({
      status: 400,
    });
    await updateBucket.run(cloud(), { bucket: "public", public_read: false });
    await eventually(async () => (await fetch(url("public/page"))).status === 403);
  });
});

describe("a presigned URL", () => {
  it("reads and stores an object without credentials, and needs what it signed", async () => {
    expect(await (await fetch(await signed())).text()).toBe("content");
    // By default the client signs the checksum of an empty body, which no upload has.
    const put = await getSignedUrl(
      s3Client(server, key.credentials, { requestChecksumCalculation: "WHEN_REQUIRED" }),
      new PutObjectCommand({ Bucket, Key: "uploaded", ContentType: "text/plain", Metadata: { from: "browser" } }),
      { signableHeaders: new Set(["content-type"]) },
    );
    const send = (headers: Record<string, string>) => fetch(put, { method: "PUT", body: "up", headers });
    expect((await answerOf(await send({ "content-type": "text/html" }))).code).toBe("SignatureDoesNotMatch");
    expect((await send({ "content-type": "text/plain" })).status).toBe(200);
    const { ContentType, Metadata } = await s3.send(new GetObjectCommand({ Bucket, Key: "uploaded" }));
    expect([ContentType, Metadata]).toEqual(["text/plain", { from: "browser" }]);
  });

  it("of the platform API works for keys and people, within the bounds of its length", async () => {
    const created = await presignObject.run(
      cloud(),
      presignObject.input.parse({
        bucket: Bucket,
        key: "by people/ü",
        operation: "put_object",
        mode: "live",
        content_type: "text/plain",
        content_length_min: 2,
        content_length_max: 4,
      }),
    );
    const put = (body: string) => fetch(created.url, { method: created.method, headers: created.headers, body });
    expect((await answerOf(await put("1"))).code).toBe("EntityTooSmall");
    expect((await answerOf(await put("12345"))).code).toBe("EntityTooLarge");
    expect((await put("1234")).status).toBe(200);
    const wider = created.url.replace("length-range=2%2C4", "length-range=2%2C9");
    expect(wider).not.toBe(created.url);
    expect((await answerOf(await fetch(wider, { method: "PUT", headers: created.headers, body: "12345" }))).code).toBe(
      "SignatureDoesNotMatch",
    );
    const read = await presignObject.run(
      cloud(),
      presignObject.input.parse({ bucket: Bucket, key: "by people/ü", operation: "get_object" }),
    );
    expect(await (await fetch(read.url)).text()).toBe("1234");
  });

  it.each<[string, (url: URL) => void, string]>([
    ["another key", (url) => (url.pathname = `/v1/s3/${Bucket}/other`), "SignatureDoesNotMatch"],
    ["another bucket", (url) => (url.pathname = "/v1/s3/other/stored"), "SignatureDoesNotMatch"],
    ["a doubled slash", (url) => (url.pathname = `/v1/s3//${Bucket}/stored`), "SignatureDoesNotMatch"],
    ["a later expiry", (url) => url.searchParams.set("X-Amz-Expires", "901"), "SignatureDoesNotMatch"],
    ["another time", (url) => url.searchParams.set("X-Amz-Date", later(url)), "SignatureDoesNotMatch"],
    ["another signature", (url) => url.searchParams.set("X-Amz-Signature", "0".repeat(64)), "SignatureDoesNotMatch"],
    ["a further parameter", (url) => url.searchParams.set("versionId", "null"), "SignatureDoesNotMatch"],
    ["a repeated parameter", (url) => url.searchParams.append("x-id", "GetObject"), "SignatureDoesNotMatch"],
    ["another region", (url) => replace(url, "X-Amz-Credential", "us-east-1", "eu-west-1"), "SignatureDoesNotMatch"],
    [
      "another service",
      (url) => replace(url, "X-Amz-Credential", "/s3/", "/ec2/"),
      "AuthorizationQueryParametersError",
    ],
    ["another day", (url) => replace(url, "X-Amz-Credential", "/20", "/19"), "AuthorizationQueryParametersError"],
    [
      "another algorithm",
      (url) => url.searchParams.set("X-Amz-Algorithm", "AWS4-HMAC-SHA1"),
      "AuthorizationQueryParametersError",
    ],
    [
      "a repeated signature",
      (url) => url.searchParams.append("X-Amz-Signature", "0"),
      "AuthorizationQueryParametersError",
    ],
    ["no expiry", (url) => url.searchParams.delete("X-Amz-Expires"), "AuthorizationQueryParametersError"],
    ["no signature", (url) => url.searchParams.delete("X-Amz-Signature"), "AuthorizationQueryParametersError"],
    ["no signed host", (url) => url.searchParams.set("X-Amz-SignedHeaders", "range"), "AccessDenied"],
  ])("with %s is refused", async (_, change, code) => {
    const url = new URL(await signed());
    change(url);
    expect((await answerOf(await fetch(url))).code).toBe(code);
  });
  const replace = (url: URL, ...[name, from, to]: [string, string, string]) =>
    url.searchParams.set(name, (url.searchParams.get(name) ?? "").replace(from, to));
  const later = (url: URL) =>
    (url.searchParams.get("X-Amz-Date") ?? "").replace(/\d\dZ$/, (s) => (s === "00Z" ? "01Z" : "00Z"));

  it("is refused for another method, with an unsigned header of S3, and together with an Authorization header", async () => {
    const url = await signed();
    expect((await answerOf(await fetch(url, { method: "DELETE" }))).code).toBe("SignatureDoesNotMatch");
    expect((await answerOf(await fetch(url, { headers: { "x-amz-meta-a": "b" } }))).code).toBe("AccessDenied");
    const both = { authorization: `Bearer ${key.bearer}` };
    expect((await answerOf(await fetch(url, { headers: both }))).code).toBe("InvalidArgument");
  });

  it.each([0, 604_801])("cannot expire after %i seconds", async (seconds) => {
    const url = new URL(await signed());
    url.searchParams.set("X-Amz-Expires", String(seconds));
    expect((await answerOf(await fetch(url))).code).toBe("AuthorizationQueryParametersError");
  });

  it("ends when it expires, and does not begin early", async () => {
    const ago = (seconds: number) => new Date(server.test.clock.now().getTime() - seconds * 1000);
    const expired = await fetch(await signed({ expiresIn: 60, signingDate: ago(120) }));
    const text = await expired.text();
    expect([expired.status, codeIn(text)]).toEqual([403, "AccessDenied"]);
    expect(text).toContain("expired");
    const early = await signed({ signingDate: ago(-3600) });
    expect((await fetch(early)).status).toBe(403);
    const long = await signed({ expiresIn: 604_800, signingDate: ago(600_000) });
    expect((await fetch(long)).status).toBe(200);
  });
});

describe("a signed request", () => {
  it.each([-16, 16])("whose clock is wrong by %i minutes is refused, and by 14 is not", async (minutes) => {
    const wrong = (by: number) => s3Client(server, key.credentials, { systemClockOffset: by * 60_000 });
    const get = new GetObjectCommand({ Bucket, Key: "stored" });
    expect(await s3Refusal(wrong(minutes).send(get))).toEqual({ code: "RequestTimeTooSkewed", status: 403 });
    await wrong(minutes > 0 ? 14 : -14).send(get);
  });

  it("may name any region", async () => {
    const client = s3Client(server, key.credentials, { region: "eu-central-1" });
    await client.send(new GetObjectCommand({ Bucket, Key: "stored" }));
  });

  it("counts against a limit of its own, and then has SlowDown with Retry-After", async () => {
    const { counters } = server.test.engines;
    const real = counters.take.bind(counters);
    counters.take = async (bucket, rate) =>
      bucket.startsWith("s3:key:")
        ? { allowed: false, remaining: 0, retryAfterMs: 1500, resetMs: 1500 }
        : real(bucket, rate);
    try {
      const limited = await fetch(await signed());
      expect([limited.status, limited.headers.get("retry-after"), codeIn(await limited.text())]).toEqual([
        503,
        "2",
        "SlowDown",
      ]);
    } finally {
      counters.take = real;
    }
  });
});
