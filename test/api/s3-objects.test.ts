import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  ChecksumAlgorithm,
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  RestoreObjectCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "objects";
const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const key = await tenant.key();
const s3 = s3Client(server, key.credentials);
const bearer = key.bearer;
await s3.send(new CreateBucketCommand({ Bucket }));

const put = (
  Key: string,
  Body: PutObjectCommandInput["Body"] = "0123456789",
  more: Partial<PutObjectCommandInput> = {},
) => s3.send(new PutObjectCommand({ Bucket, Key, Body: Body || new Uint8Array(), ...more }));
const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
const head = (Key: string, more: object = {}) => s3.send(new HeadObjectCommand({ Bucket, Key, ...more }));
const textOf = async (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  (await get(Key, more)).Body?.transformToString();
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

describe("an object", () => {
  it.each([
    "plain.txt",
    "folder/file.txt",
    "a//b",
    "/leading",
    "trailing/",
    "a b+c&d=e?f#g%h",
    "ü €/日本/😀",
    "quote'\"(1)*!~$,;:@",
    "back\\slash",
    "per%2Fcent",
    "dots/..hidden/...",
    "x".repeat(1024),
    "acl",
    "uploads",
  ])("with the key %s is read as it was put", async (key) => {
    await put(key, key);
    expect(await textOf(key)).toBe(key);
  });

  it("has the ETag, size, type and metadata that it was put with", async () => {
    const { ETag } = await put("meta", "hello", {
      ContentType: "text/html; charset=utf-8",
      CacheControl: "max-age=60",
      ContentLanguage: "de",
      ContentDisposition: 'attachment; filename="a.html"',
      ContentEncoding: "br",
      Expires: new Date(1e12),
      Metadata: { colour: "blue", "two-words": "a  b" },
    });
    expect(ETag).toBe(`"${md5("hello")}"`);
    for (const found of [await head("meta"), await get("meta")]) {
      expect(found).toMatchObject({
        ETag,
        ContentLength: 5,
        ContentType: "text/html; charset=utf-8",
        CacheControl: "max-age=60",
        ContentLanguage: "de",
        ContentDisposition: 'attachment; filename="a.html"',
        ContentEncoding: "br",
        AcceptRanges: "bytes",
        Metadata: { colour: "blue", "two-words": "a  b" },
      });
      expect(found.LastModified).toBeInstanceOf(Date);
    }
  });

  it("has a type even if none was sent, and is replaced by the next put", async () => {
    await put("typeless");
    expect((await head("typeless")).ContentType).toBeTruthy();
    await put("typeless", "second", { Metadata: { a: "1" } });
    expect(await textOf("typeless")).toBe("second");
  });

  it("may be empty", async () => {
    await put("empty", "");
    expect([await textOf("empty"), (await head("empty")).ContentLength]).toEqual(["", 0]);
  });

  it("of several megabytes is the same, byte for byte", async () => {
    const bytes = Buffer.alloc(5_000_001, "some bytes, ");
    await put("big", bytes);
    const read = await (await get("big")).Body?.transformToByteArray();
    expect(Buffer.compare(Buffer.from(read ?? []), bytes)).toBe(0);
  });

  it("is gone once deleted, and deleting it again is no error", async () => {
    await put("gone");
    for (const _ of [1, 2]) await s3.send(new DeleteObjectCommand({ Bucket, Key: "gone" }));
    expect(await s3Refusal(get("gone"))).toEqual({ code: "NoSuchKey", status: 404 });
    expect(await s3Refusal(head("gone"))).toEqual({ code: "NotFound", status: 404 });
  });

  it("is deleted with others in one call, which names every key, or none if it is quiet", async () => {
    for (const key of ["many/1", "many/2 &<>"]) await put(key);
    const Objects = ["many/1", "many/2 &<>", "many/missing"].map((Key) => ({ Key }));
    const { Deleted, Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect([Deleted?.map(({ Key }) => Key), Errors]).toEqual([Objects.map(({ Key }) => Key), undefined]);
    const quiet = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    expect(quiet.Deleted).toBeUndefined();
    expect((await s3Refusal(get("many/1"))).code).toBe("NoSuchKey");
  });

  it("cannot act as a page of svc", async () => {
    await put("page.html", "<script>alert(1)</script>", { ContentType: "text/html" });
    const load = (headers: Record<string, string> = {}) =>
      fetch(`${server.url}/${Bucket}/page.html`, { headers: { authorization: `Bearer ${bearer}`, ...headers } });
    const page = await load();
    expect([page.headers.get("content-security-policy"), page.headers.get("x-content-type-options")]).toEqual([
      "sandbox",
      "nosniff",
    ]);
    expect(await page.text()).toBe("<script>alert(1)</script>");
    expect((await load({ "sec-fetch-site": "same-origin", "sec-fetch-dest": "script" })).status).toBe(403);
  });
});

describe("what is refused", () => {
  it.each<[string, () => Promise<unknown>, string, number]>([
    ["a key of 1,025 bytes", () => put("x".repeat(1025)), "KeyTooLongError", 400],
    ["a missing key", () => get("missing"), "NoSuchKey", 404],
    [
      "a missing bucket",
      () => s3.send(new GetObjectCommand({ Bucket: "no-such-bucket", Key: "a" })),
      "NoSuchBucket",
      404,
    ],
    ["too much metadata", () => put("a", "", { Metadata: { a: "x".repeat(2100) } }), "MetadataTooLarge", 400],
    ["encryption with own keys", () => put("a", "", { ServerSideEncryption: "aws:kms" }), "NotImplemented", 501],
    ["another storage class", () => put("a", "", { StorageClass: "ONEZONE_IA" }), "InvalidStorageClass", 400],
    ["an access list for a service", () => put("a", "", { ACL: "aws-exec-read" }), "NotImplemented", 501],
    ["a wrong Content-MD5", () => put("a", "x", { ContentMD5: "1B2M2Y8AsgTpgAmY7PhCfg==" }), "BadDigest", 400],
    ["no Content-MD5", () => put("a", "x", { ContentMD5: "bad" }), "InvalidDigest", 400],
    ["a wrong checksum", () => put("a", "x", { ChecksumCRC32: "AAAAAA==" }), "BadDigest", 400],
    ["no checksum", () => put("a", "x", { ChecksumCRC32: "x" }), "InvalidRequest", 400],
    ["1,001 keys to delete", () => deleteMany(1001), "MalformedXML", 400],
  ])("%s", async (...[, call, code, status]) => {
    expect(await s3Refusal(call())).toEqual({ code, status });
    expect((await s3Refusal(get("a"))).code).toBe("NoSuchKey");
  });
  const deleteMany = (count: number) => {
    const Objects = Array.from({ length: count }, (_, i) => ({ Key: `k${i}` }));
    return s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  };
});

describe("a range", () => {
  beforeAll(() => put("ten"));

  it.each([
    ["bytes=0-4", "01234", "bytes 0-4/10"],
    ["bytes=5-", "56789", "bytes 5-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=-100", "0123456789", "bytes 0-9/10"],
    ["bytes=9-9", "9", "bytes 9-9/10"],
    ["bytes=8-100", "89", "bytes 8-9/10"],
  ])("%s is a part of the object", async (Range, text, ContentRange) => {
    const found = await get("ten", { Range });
    expect(found).toMatchObject({ ContentRange, ContentLength: text.length, $metadata: { httpStatusCode: 206 } });
    expect(await found.Body?.transformToString()).toBe(text);
    expect((await head("ten", { Range })).ContentLength).toBe(text.length);
  });

  it.each(["bytes=0-1,3-4", "bytes=4-2", "bytes=a-b", "items=0-1", "bytes=-"])("%s is ignored", async (Range) => {
    expect(await textOf("ten", { Range })).toBe("0123456789");
  });

  it.each(["bytes=10-", "bytes=10-20", "bytes=-0"])("%s cannot be satisfied", async (Range) => {
    expect(await s3Refusal(get("ten", { Range }))).toEqual({ code: "InvalidRange", status: 416 });
  });

  it("of an empty object cannot be satisfied", async () => {
    await put("nothing", "");
    expect((await s3Refusal(get("nothing", { Range: "bytes=0-" }))).status).toBe(416);
  });

  it("of part 1 is a whole object that was put at once; there is no part 2", async () => {
    expect(await textOf("ten", { PartNumber: 1 })).toBe("0123456789");
    expect((await s3Refusal(get("ten", { PartNumber: 2 }))).status).toBe(416);
  });
});

describe("a condition", () => {
  const etag = `"${md5("0123456789")}"`;
  const [before, after] = [new Date("2020-01-01"), new Date("2099-01-01")];
  beforeAll(() => put("when"));

  it.each<[Partial<GetObjectCommandInput>, number]>([
    [{ IfMatch: etag }, 200],
    [{ IfMatch: "*" }, 200],
    [{ IfMatch: `"x", ${etag}` }, 200],
    [{ IfMatch: '"other"' }, 412],
    [{ IfNoneMatch: etag }, 304],
    [{ IfNoneMatch: "*" }, 304],
    [{ IfNoneMatch: '"other"' }, 200],
    [{ IfModifiedSince: before }, 200],
    [{ IfModifiedSince: after }, 304],
    [{ IfUnmodifiedSince: before }, 412],
    [{ IfUnmodifiedSince: after }, 200],
    [{ IfMatch: etag, IfUnmodifiedSince: before }, 200],
    [{ IfNoneMatch: '"other"', IfModifiedSince: after }, 200],
    [{ IfNoneMatch: etag, IfModifiedSince: before }, 304],
    [{ IfMatch: '"other"', IfNoneMatch: etag }, 412],
  ])("%j has the status %i", async (condition, status) => {
    for (const call of [() => get("when", condition), () => head("when", condition)]) {
      const found = status === 200 ? (await call()).$metadata.httpStatusCode : (await s3Refusal(call())).status;
      expect(found).toBe(status);
    }
  });

  it("of a put holds or nothing is stored", async () => {
    expect(await s3Refusal(put("when", "new", { IfNoneMatch: "*" }))).toEqual({
      code: "PreconditionFailed",
      status: 412,
    });
    expect((await s3Refusal(put("when", "new", { IfMatch: '"other"' }))).status).toBe(412);
    expect((await s3Refusal(put("never", "new", { IfMatch: etag }))).status).toBeGreaterThanOrEqual(404);
    expect(await textOf("when")).toBe("0123456789");
    await put("fresh", "1", { IfNoneMatch: "*" });
    await put("fresh", "2", { IfMatch: `"${md5("1")}"` });
    expect(await textOf("fresh")).toBe("2");
  });

  it("lets one of many parallel puts succeed", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => put("race", `writer ${i}`, { IfNoneMatch: "*" })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a copy", () => {
  const copy = (CopySource: string, Key: string, more: object = {}) =>
    s3.send(new CopyObjectCommand({ Bucket, CopySource, Key, ...more }));
  beforeAll(() => put("source ü", "content", { ContentType: "text/x-source", Metadata: { from: "source" } }));
  const SOURCE = `${Bucket}/${encodeURIComponent("source ü")}`;

  it.each([SOURCE, `/${SOURCE}`])("of %s has the bytes and the properties of its source", async (source) => {
    const { CopyObjectResult } = await copy(source, "copied");
    expect(CopyObjectResult?.ETag).toBe(`"${md5("content")}"`);
    expect(await textOf("copied")).toBe("content");
    expect(await head("copied")).toMatchObject({ ContentType: "text/x-source", Metadata: { from: "source" } });
  });

  it("has new properties if it replaces them, also in place", async () => {
    await put("in-place", "content");
    const directive = { MetadataDirective: "REPLACE", ContentType: "text/new", Metadata: { is: "new" } };
    await copy(`${Bucket}/in-place`, "in-place", directive);
    expect(await head("in-place")).toMatchObject({ ContentType: "text/new", Metadata: { is: "new" } });
    expect(await textOf("in-place")).toBe("content");
  });

  it("stays when its source is deleted", async () => {
    await put("short-lived", "content");
    await copy(`${Bucket}/short-lived`, "survivor");
    await s3.send(new DeleteObjectCommand({ Bucket, Key: "short-lived" }));
    expect(await textOf("survivor")).toBe("content");
  });

  it.each<[string, string, object, string, number]>([
    ["of itself without a change", `${Bucket}/source%20%C3%BC`, { Key: "source ü" }, "InvalidRequest", 400],
    ["of a missing key", `${Bucket}/missing`, {}, "NoSuchKey", 404],
    ["of a missing bucket", "no-such-bucket/a", {}, "NoSuchBucket", 404],
    ["of no source", "nothing", {}, "InvalidArgument", 400],
    ["under If-Match of another", SOURCE, { CopySourceIfMatch: '"x"' }, "PreconditionFailed", 412],
    ["under If-None-Match", SOURCE, { CopySourceIfNoneMatch: `"${md5("content")}"` }, "PreconditionFailed", 412],
    ["if not changed since", SOURCE, { CopySourceIfModifiedSince: new Date("2099-01-01") }, "PreconditionFailed", 412],
    ["if changed since", SOURCE, { CopySourceIfUnmodifiedSince: new Date("2001-01-01") }, "PreconditionFailed", 412],
    ["with an unknown directive", SOURCE, { MetadataDirective: "MERGE" }, "InvalidArgument", 400],
  ])("%s fails", async (...[, source, more, code, status]) => {
    expect(await s3Refusal(copy(source, "not-made", more))).toEqual({ code, status });
  });
});

describe("a checksum", () => {
  it.each(
    Object.values(ChecksumAlgorithm).filter((name) =>
      ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"].includes(name),
    ),
  )("%s is verified, stored and returned on request", async (algorithm) => {
    const stored = await put(`sum-${algorithm}`, "content", { ChecksumAlgorithm: algorithm });
    const name = `Checksum${algorithm}` as "ChecksumCRC32";
    expect(stored[name]).toBeTruthy();
    const found = await head(`sum-${algorithm}`, { ChecksumMode: "ENABLED" });
    expect([found[name], found.ChecksumType]).toEqual([stored[name], "FULL_OBJECT"]);
    expect((await head(`sum-${algorithm}`))[name]).toBeUndefined();
    expect(await textOf(`sum-${algorithm}`, { ChecksumMode: "ENABLED" })).toBe("content");
  });

  it.each(["md5", "sha512", "xxhash64", "crc31"])("%s is refused, since it is not verified", async (name) => {
    const headers = { authorization: `Bearer ${bearer}`, [`x-amz-checksum-${name}`]: "AAAA" };
    const response = await fetch(`${server.url}/${Bucket}/unverified`, { method: "PUT", headers, body: "x" });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("SHA256, not ")]);
    expect((await s3Refusal(head("unverified"))).status).toBe(404);
  });

  it("of a stream comes as a trailer", async () => {
    const stream = Readable.from([Buffer.from("streamed "), Buffer.from("content")]);
    const stored = await put("streamed", stream, { ContentLength: 16, ChecksumAlgorithm: "CRC32C" });
    expect(stored.ChecksumCRC32C).toBeTruthy();
    expect(await textOf("streamed")).toBe("streamed content");
    expect((await head("streamed")).ContentEncoding ?? "").not.toContain("aws-chunked");
  });
});

describe("a response", () => {
  it("tells when a lifecycle rule expires the object, and which one", async () => {
    const bucket = { Bucket: "expiring" };
    await s3.send(new CreateBucketCommand(bucket));
    const rule = (ID: string, Days: number, Prefix: string) => ({
      ID,
      Status: "Enabled" as const,
      Filter: { Prefix },
      Expiration: { Days },
    });
    const off = { ...rule("off", 1, ""), Status: "Disabled" as const };
    const tagged = { ...rule("tagged", 1, ""), Filter: { Tag: { Key: "old", Value: "yes" } } };
    const Rules = [rule("long", 9, "a"), rule("short one", 2, "a/"), off, tagged];
    await s3.send(new PutBucketLifecycleConfigurationCommand({ ...bucket, LifecycleConfiguration: { Rules } }));
    const stored = await s3.send(new PutObjectCommand({ ...bucket, Key: "a/b", Body: "x" }));
    const read = await s3.send(new HeadObjectCommand({ ...bucket, Key: "a/b" }));
    const dayMs = 24 * 60 * 60_000;
    const date = new Date((Math.ceil((read.LastModified?.getTime() ?? 0) / dayMs) + 2) * dayMs).toUTCString();
    expect([stored.Expiration, read.Expiration]).toEqual(
      Array.from({ length: 2 }, () => `expiry-date="${date}", rule-id="short%20one"`),
    );
    expect((await s3.send(new PutObjectCommand({ ...bucket, Key: "b", Body: "x" }))).Expiration).toBeUndefined();
    const copy = new CopyObjectCommand({ ...bucket, Key: "c", CopySource: "expiring/b", Tagging: "old=yes" });
    expect((await s3.send(copy)).Expiration).toBeUndefined();
    copy.input.TaggingDirective = "REPLACE";
    expect((await s3.send(copy)).Expiration).toContain('rule-id="tagged"');
  });

  it("has the storage class that it was put with, and an archived one is read only after a restore", async () => {
    for (const StorageClass of ["STANDARD_IA", "GLACIER_IR", "GLACIER"] as const) {
      await put(StorageClass, "0123456789", { StorageClass });
      expect((await head(StorageClass)).StorageClass).toBe(StorageClass);
      const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: StorageClass, MaxKeys: 1 }));
      expect(Contents?.[0]?.StorageClass).toBe(StorageClass);
    }
    expect(await textOf("GLACIER_IR", { Range: "bytes=2-5" })).toBe("2345");
    const CopySource = `${Bucket}/GLACIER_IR`;
    await s3.send(new CopyObjectCommand({ Bucket, Key: "GLACIER_IR", CopySource, StorageClass: "STANDARD" }));
    expect((await head("GLACIER_IR")).StorageClass).toBeUndefined();
    const [Key, archived] = ["GLACIER", { code: "InvalidObjectState", status: 403 }];
    const restore = (of = Key) => s3.send(new RestoreObjectCommand({ Bucket, Key: of, RestoreRequest: { Days: 2 } }));
    expect(await s3Refusal(get(Key))).toEqual(archived);
    expect(await s3Refusal(restore("STANDARD_IA"))).toEqual(archived);
    expect((await restore()).$metadata.httpStatusCode).toBe(202);
    expect((await head(Key)).Restore).toBe('ongoing-request="true"');
    const listed = async (OptionalObjectAttributes?: ["RestoreStatus"]) => {
      const found = { Bucket, Prefix: Key, ...(OptionalObjectAttributes && { OptionalObjectAttributes }) };
      const { Contents = [] } = await s3.send(new ListObjectsV2Command(found));
      return Contents.map((object) => object.RestoreStatus);
    };
    expect(await listed(["RestoreStatus"])).toEqual([{ IsRestoreInProgress: true }, undefined]);
    expect(await listed()).toEqual([undefined, undefined]);
    expect((await s3Refusal(listed(["Size" as "RestoreStatus"]))).code).toBe("InvalidArgument");
    expect(await s3Refusal(restore())).toEqual({ code: "RestoreAlreadyInProgress", status: 409 });
    expect(await s3Refusal(get(Key))).toEqual(archived);
    await server.test.engines.sql.query("UPDATE object_versions SET restore_at = now() WHERE key = $1", [Key]);
    expect(await textOf(Key)).toBe("0123456789");
    expect((await head(Key)).Restore).toMatch(/^ongoing-request="false", expiry-date="\w{3}, /);
    expect((await listed(["RestoreStatus"]))[0]).toEqual({
      IsRestoreInProgress: false,
      RestoreExpiryDate: expect.any(Date),
    });
    expect((await restore()).$metadata.httpStatusCode).toBe(200);
  });

  it("has the attributes of an object that were asked for", async () => {
    await put("described", "0123456789", { ChecksumAlgorithm: "SHA256" });
    const ObjectAttributes = ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"] as const;
    const object = { Bucket, Key: "described" };
    const whole = await s3.send(new GetObjectAttributesCommand({ ...object, ObjectAttributes: [...ObjectAttributes] }));
    const ChecksumSHA256 = createHash("sha256").update("0123456789").digest("base64");
    expect(whole).toMatchObject({
      ETag: md5("0123456789"),
      StorageClass: "STANDARD",
      ObjectSize: 10,
      Checksum: { ChecksumSHA256, ChecksumType: "FULL_OBJECT" },
    });
    expect(whole.ObjectParts).toBeUndefined();
    const size = await s3.send(new GetObjectAttributesCommand({ ...object, ObjectAttributes: ["ObjectSize"] }));
    expect([size.ObjectSize, size.ETag, size.Checksum]).toEqual([10, undefined, undefined]);
    const unknown = new GetObjectAttributesCommand({ ...object, ObjectAttributes: ["Owner" as "ETag"] });
    expect((await s3Refusal(s3.send(unknown))).code).toBe("InvalidArgument");
  });

  it("has the headers that a signed request asks for", async () => {
    await put("shown");
    const found = await get("shown", {
      ResponseContentType: "text/x-shown",
      ResponseContentDisposition: "inline",
      ResponseCacheControl: "no-store",
      ResponseContentLanguage: "en",
    });
    expect(found).toMatchObject({
      ContentType: "text/x-shown",
      ContentDisposition: "inline",
      CacheControl: "no-store",
      ContentLanguage: "en",
    });
    expect((await s3Refusal(get("shown", { ResponseContentType: "a\r\nset-cookie: b" }))).code).toBe("InvalidArgument");
  });
});
