import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetBucketAclCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "headers";
const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const key = await tenant.key();
const s3 = s3Client(server, key.credentials);
await s3.send(new CreateBucketCommand({ Bucket }));
await s3.send(new PutObjectCommand({ Bucket, Key: "stored", Body: "content" }));

const call = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const all = { authorization: `Bearer ${key.bearer}`, ...headers };
  const init = { method, headers: all, ...(method === "PUT" && { body: "body" }) };
  const response = await fetch(`${server.url}/${path}`, init);
  const text = await response.text();
  return { status: response.status, code: /<Code>(.*?)</.exec(text)?.[1], header: /<Header>(.*?)</.exec(text)?.[1] };
};

describe("a header that svc does not act on", () => {
  it.each([
    ["PUT", `${Bucket}/new`, "x-amz-website-redirect-location", "/else"],
    ["PUT", `${Bucket}/new`, "x-amz-of-a-later-year", "1"],
    ["PUT", `${Bucket}/new`, "if-unmodified-since", new Date(0).toUTCString()],
    ["DELETE", `${Bucket}/stored`, "if-none-match", "*"],
  ])("is refused by its name, and nothing happens: %s %s with %s", async (...[method, path, name, value]) => {
    const refused = { status: 501, code: "NotImplemented", header: name };
    expect(await call(method, path, { [name]: value })).toEqual(refused);
    expect((await call("GET", `${Bucket}/new`)).status).toBe(404);
    expect((await call("GET", `${Bucket}/stored`)).status).toBe(200);
  });
});

describe("the owner that a request expects", () => {
  const ours = tenant.ctx.tenantId;

  it("is the one that access lists show, and everything else is refused before anything happens", async () => {
    expect((await s3.send(new GetBucketAclCommand({ Bucket }))).Owner?.ID).toBe(ours);
    const foreign = "123456789012";
    const denied = { code: "AccessDenied", status: 403 };
    const at = { Bucket, Key: "stored" };
    const CopySource = `${Bucket}/stored`;
    for (const command of [
      (owner: string) => new ListObjectsV2Command({ Bucket, ExpectedBucketOwner: owner }),
      (owner: string) => new GetObjectCommand({ ...at, ExpectedBucketOwner: owner }),
      (owner: string) => new CopyObjectCommand({ Bucket, Key: "copy", CopySource, ExpectedSourceBucketOwner: owner }),
      (owner: string) => new DeleteObjectCommand({ ...at, ExpectedBucketOwner: owner }),
    ]) {
      expect(await s3Refusal(s3.send(command(foreign) as GetObjectCommand))).toEqual(denied);
      await s3.send(command(ours) as GetObjectCommand);
    }
  });
});
