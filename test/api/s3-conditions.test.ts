import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  type DeleteObjectCommandInput,
  DeleteObjectsCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "conditions";
const server = await openForFile(s3Server());
const s3 = s3Client(server, (await (await s3Tenant(server)).key()).credentials);
await s3.send(new CreateBucketCommand({ Bucket }));

const put = (Key: string, more: object = {}) => s3.send(new PutObjectCommand({ Bucket, Key, Body: "four", ...more }));
const head = (Key: string) => s3.send(new HeadObjectCommand({ Bucket, Key }));
const remove = (Key: string, more: Partial<DeleteObjectCommandInput>) =>
  s3.send(new DeleteObjectCommand({ Bucket, Key, ...more }));
const FAILED = { code: "PreconditionFailed", status: 412 };
const NO_SUCH_KEY = { code: "NoSuchKey", status: 404 };

describe("If-Match of a key that does not exist", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["a put", () => put("missing", { IfMatch: '"a"' })],
    ["a put of any", () => put("missing", { IfMatch: "*" })],
    [
      "a copy",
      () => s3.send(new CopyObjectCommand({ Bucket, Key: "missing", CopySource: `${Bucket}/a`, IfMatch: "*" })),
    ],
    ["a deletion", () => remove("missing", { IfMatch: "*" })],
  ])("is no such key: %s", async (_, call) => {
    await put("a");
    expect(await s3Refusal(call())).toEqual(NO_SUCH_KEY);
  });
});

describe("a deletion with conditions", () => {
  it("happens only if each is met", async () => {
    const { ETag } = await put("kept");
    const { LastModified = new Date() } = await head("kept");
    const later = new Date(LastModified.getTime() + 1000);
    for (const unmet of [
      { IfMatch: '"other"' },
      { IfMatchSize: 5 },
      { IfMatchLastModifiedTime: later },
      { IfMatch: ETag, IfMatchSize: 5 },
    ]) {
      expect(await s3Refusal(remove("kept", unmet))).toEqual(FAILED);
    }
    expect((await head("kept")).ETag).toBe(ETag);
    await remove("kept", { IfMatch: ETag, IfMatchSize: 4, IfMatchLastModifiedTime: LastModified });
    expect((await s3Refusal(head("kept"))).status).toBe(404);
    await remove("kept", { IfMatchSize: 4 });
  });

  it("of several keys says for each whether it happened", async () => {
    const { ETag } = await put("one");
    await put("two");
    const Objects = [
      { Key: "one", ETag },
      { Key: "two", ETag: '"other"' },
      { Key: "two", Size: 5 },
      { Key: "three", ETag: "*" },
    ];
    const { Deleted, Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Deleted).toEqual([{ Key: "one" }]);
    expect(Errors?.map(({ Key, Code }) => [Key, Code])).toEqual([
      ["two", "PreconditionFailed"],
      ["two", "PreconditionFailed"],
      ["three", "NoSuchKey"],
    ]);
    await head("two");
  });
});

it("A copy source is percent-encoded, and a plus in it is a blank", async () => {
  await put("a b", { Body: "blank" });
  await put("a+b", { Body: "plus" });
  const copied = async (source: string) => {
    const CopySource = `${Bucket}/${source}`;
    return (await s3.send(new CopyObjectCommand({ Bucket, Key: "copied", CopySource }))).CopyObjectResult?.ETag;
  };
  const [blank, plus] = [(await head("a b")).ETag, (await head("a+b")).ETag];
  expect([await copied("a%20b"), await copied("a+b"), await copied("a%2Bb")]).toEqual([blank, blank, plus]);
});

it("Content-Encoding is kept with its blanks, without what describes the request", async () => {
  await put("encoded", { ContentEncoding: "gzip, br" });
  expect((await head("encoded")).ContentEncoding).toBe("gzip, br");
});

it("Creating one's own bucket again leaves it as it is; with other settings, or in another region, it is refused", async () => {
  const again = (more: object = {}) => s3.send(new CreateBucketCommand({ Bucket, ...more }));
  expect((await again()).Location).toBe(`/${Bucket}`);
  const taken = { code: "BucketAlreadyOwnedByYou", status: 409 };
  expect(await s3Refusal(again({ ACL: "private" }))).toEqual(taken);
  expect(await s3Refusal(again({ ACL: "public-read" }))).toEqual({ code: "BucketAlreadyExists", status: 409 });
  const elsewhere = { CreateBucketConfiguration: { LocationConstraint: "eu-west-1" } };
  expect(await s3Refusal(again(elsewhere))).toEqual(taken);
  await head("encoded");
});
