import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketEncryptionCommand,
  GetBucketEncryptionCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketEncryptionCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "encrypted";
const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const key = await tenant.key();
const s3 = s3Client(server, key.credentials);
await s3.send(new CreateBucketCommand({ Bucket }));

const keyOf = (fill: number) => {
  const key = Buffer.alloc(32, fill);
  return {
    SSECustomerAlgorithm: "AES256",
    SSECustomerKey: key.toString("base64"),
    SSECustomerKeyMD5: createHash("md5").update(key).digest("base64"),
  };
};
const [mine, others] = [keyOf(1), keyOf(2)];
const sourceKey = {
  CopySourceSSECustomerAlgorithm: mine.SSECustomerAlgorithm,
  CopySourceSSECustomerKey: mine.SSECustomerKey,
  CopySourceSSECustomerKeyMD5: mine.SSECustomerKeyMD5,
};

const MARK = "what nobody may read on the disk ";
const content = Buffer.concat([Buffer.alloc(150_000, MARK), randomBytes(1000)]);
const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");

/** Whether any stored file shows a text. */
async function isOnDisk(text: string): Promise<boolean> {
  const root = path.join(server.test.config.dataDir, "objects");
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  for (const { parentPath, name } of files) {
    if ((await readFile(path.join(parentPath, name))).includes(text)) return true;
  }
  return false;
}

const read = async (Key: string, more: object = {}) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};

describe("encryption", () => {
  it("with keys of the installation is read without any, and shows nothing on the disk", async () => {
    const put = new PutObjectCommand({ Bucket, Key: "sse", Body: content, ServerSideEncryption: "AES256" });
    expect(await s3.send(put)).toMatchObject({ ServerSideEncryption: "AES256", ETag: `"${md5(content)}"` });
    expect(await isOnDisk(MARK)).toBe(false);
    expect((await read("sse")).equals(content)).toBe(true);
    expect((await read("sse", { Range: "bytes=65530-131080" })).equals(content.subarray(65_530, 131_081))).toBe(true);
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: "sse" }))).toMatchObject({
      ServerSideEncryption: "AES256",
      ContentLength: content.length,
    });
    const bucket = await server.test.app.cloud.bucketsByName.find(Bucket);
    if (!bucket) throw new Error("no bucket");
    const { open } = await server.test.app.cloud.objects.read(bucket, { key: "sse" });
    const chunks: Uint8Array[] = [];
    for await (const chunk of open()) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
    await s3.send(new PutObjectCommand({ Bucket, Key: "plain", Body: MARK }));
    expect(await isOnDisk(MARK)).toBe(true);
  });

  it("is asked for by writes only", async () => {
    const get = new GetObjectCommand({ Bucket, Key: "sse" });
    get.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: object }).headers, { "x-amz-server-side-encryption": "AES256" });
        return next(args);
      },
      { step: "build" },
    );
    expect(await s3Refusal(s3.send(get))).toEqual({ code: "InvalidArgument", status: 400 });
  });

  it("is what a bucket does by default, until that is switched off", async () => {
    const Default = { Bucket: "encrypts" };
    await s3.send(new CreateBucketCommand(Default));
    expect(await s3Refusal(s3.send(new GetBucketEncryptionCommand(Default)))).toEqual({
      code: "ServerSideEncryptionConfigurationNotFoundError",
      status: 404,
    });
    const rule = (SSEAlgorithm: "AES256" | "aws:kms") => ({
      ServerSideEncryptionConfiguration: { Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm } }] },
    });
    const kms = s3.send(new PutBucketEncryptionCommand({ ...Default, ...rule("aws:kms") }));
    expect((await s3Refusal(kms)).code).toBe("NotImplemented");
    await s3.send(new PutBucketEncryptionCommand({ ...Default, ...rule("AES256") }));
    const got = await s3.send(new GetBucketEncryptionCommand(Default));
    expect(got).toMatchObject(rule("AES256"));
    const put = () => s3.send(new PutObjectCommand({ ...Default, Key: "a", Body: "x" }));
    expect((await put()).ServerSideEncryption).toBe("AES256");
    await s3.send(new DeleteBucketEncryptionCommand(Default));
    expect((await put()).ServerSideEncryption).toBeUndefined();
  });

  it("with a key of the client needs that key for everything", async () => {
    const Key = "sse-c";
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: content, ...mine }));
    expect((await read(Key, mine)).equals(content)).toBe(true);
    expect((await read(Key, { ...mine, Range: "bytes=-10" })).equals(content.subarray(-10))).toBe(true);
    const get = (more: object) => s3Refusal(s3.send(new GetObjectCommand({ Bucket, Key, ...more })));
    expect(await get({})).toEqual({ code: "InvalidRequest", status: 400 });
    expect(await get(others)).toEqual({ code: "AccessDenied", status: 403 });
    expect((await s3Refusal(s3.send(new HeadObjectCommand({ Bucket, Key })))).status).toBe(400);
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key, ...mine }))).toMatchObject({
      SSECustomerAlgorithm: "AES256",
      SSECustomerKeyMD5: mine.SSECustomerKeyMD5,
    });
    const plain = s3.send(new GetObjectCommand({ Bucket, Key: "sse", ...mine }));
    expect(await s3Refusal(plain)).toEqual({ code: "InvalidRequest", status: 400 });
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ["another algorithm", { ...mine, SSECustomerAlgorithm: "AES128" }, "InvalidEncryptionAlgorithmError"],
    ["no algorithm", { ...mine, SSECustomerAlgorithm: undefined }, "InvalidArgument"],
    ["both kinds", { ...mine, ServerSideEncryption: "AES256" }, "InvalidArgument"],
    ["a key service", { ServerSideEncryption: "aws:kms", SSEKMSKeyId: "a" }, "NotImplemented"],
    ["a key of a service without the service", { SSEKMSKeyId: "a" }, "InvalidArgument"],
    ["a key of a service for AES256", { ServerSideEncryption: "AES256", SSEKMSKeyId: "a" }, "InvalidArgument"],
    ["an unknown method", { ServerSideEncryption: "ROT13" }, "InvalidEncryptionAlgorithmError"],
  ])("with %s stores nothing", async (_, fields, code) => {
    const put = new PutObjectCommand({ Bucket, Key: "refused", Body: MARK, ...(fields as object) });
    expect((await s3Refusal(s3.send(put))).code).toBe(code);
    expect((await s3Refusal(s3.send(new HeadObjectCommand({ Bucket, Key: "refused" })))).status).toBe(404);
  });

  it.each<[string, Record<string, string>]>([
    ["no MD5", { algorithm: "AES256", key: mine.SSECustomerKey }],
    ["no key", { algorithm: "AES256", "key-md5": mine.SSECustomerKeyMD5 }],
    ["a short key", { algorithm: "AES256", key: "c2hvcnQ=", "key-md5": mine.SSECustomerKeyMD5 }],
    ["the MD5 of another key", { algorithm: "AES256", key: mine.SSECustomerKey, "key-md5": others.SSECustomerKeyMD5 }],
  ])("with %s stores nothing either", async (_, fields) => {
    const headers = Object.entries(fields).map(([name, value]): [string, string] => [
      `x-amz-server-side-encryption-customer-${name}`,
      value,
    ]);
    const authorization: [string, string] = ["authorization", `Bearer ${key.bearer}`];
    const response = await fetch(`${server.url}/${Bucket}/refused`, {
      method: "PUT",
      headers: [authorization, ...headers],
      body: MARK,
    });
    expect([response.status, /<Code>(.*?)</.exec(await response.text())?.[1]]).toEqual([400, "InvalidArgument"]);
    expect((await s3Refusal(s3.send(new HeadObjectCommand({ Bucket, Key: "refused" })))).status).toBe(404);
  });

  it.each<[string, object, object]>([
    ["decrypted", {}, {}],
    ["encrypted with keys of the installation", { ServerSideEncryption: "AES256" }, {}],
    ["encrypted with another key of the client", others, others],
  ])("of a copy is that which was asked for: %s", async (_, asked, reading) => {
    const copy = (source: string, more: object) =>
      s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource: `${Bucket}/${source}`, ...asked, ...more }));
    await copy("sse", {});
    expect((await read("copy", reading)).equals(content)).toBe(true);
    expect((await s3Refusal(copy("sse-c", {}))).code).toBe("InvalidRequest");
    await copy("sse-c", sourceKey);
    expect((await read("copy", reading)).equals(content)).toBe(true);
  });

  it.each<[string, object]>([
    ["keys of the installation", { ServerSideEncryption: "AES256" }],
    ["a key of the client", mine],
  ])("of an upload in parts is with %s", async (_, asked) => {
    const Key = "parts";
    const customer = "SSECustomerKey" in asked ? mine : {};
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...asked }));
    const first = Buffer.concat([randomBytes(5 * 1024 * 1024), Buffer.from("odd")]);
    const part = { Bucket, Key, UploadId };
    if (asked === mine) {
      const without = new UploadPartCommand({ ...part, PartNumber: 1, Body: first });
      expect((await s3Refusal(s3.send(without))).code).toBe("InvalidRequest");
      const wrong = new UploadPartCommand({ ...part, PartNumber: 1, Body: first, ...others });
      expect((await s3Refusal(s3.send(wrong))).code).toBe("InvalidRequest");
    }
    const { ETag } = await s3.send(new UploadPartCommand({ ...part, PartNumber: 1, Body: first, ...customer }));
    const source = { CopySource: `${Bucket}/sse-c`, CopySourceRange: "bytes=10-100009", ...sourceKey };
    const { CopyPartResult } = await s3.send(
      new UploadPartCopyCommand({ ...part, PartNumber: 2, ...source, ...customer }),
    );
    const Parts = [
      { PartNumber: 1, ETag },
      { PartNumber: 2, ETag: CopyPartResult?.ETag },
    ];
    await s3.send(new CompleteMultipartUploadCommand({ ...part, MultipartUpload: { Parts }, ...customer }));
    const whole = Buffer.concat([first, content.subarray(10, 100_010)]);
    expect((await read(Key, customer)).equals(whole)).toBe(true);
    const range = { Range: `bytes=${first.length - 5}-${first.length + 4}`, ...customer };
    expect((await read(Key, range)).equals(whole.subarray(first.length - 5, first.length + 5))).toBe(true);
  });
});
