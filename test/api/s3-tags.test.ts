import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketTaggingCommand,
  DeleteObjectTaggingCommand,
  GetBucketTaggingCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type Tag,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "tagged";
const server = await openForFile(s3Server());
const s3 = s3Client(server, (await (await s3Tenant(server)).key()).credentials);
await s3.send(new CreateBucketCommand({ Bucket }));

const put = (Key: string, more: object = {}) => s3.send(new PutObjectCommand({ Bucket, Key, Body: "x", ...more }));
const setTags = (Key: string, TagSet: Tag[], more: object = {}) =>
  s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet }, ...more }));
const tagsOf = async (Key: string, more: object = {}) =>
  (await s3.send(new GetObjectTaggingCommand({ Bucket, Key, ...more }))).TagSet?.map(({ Key, Value }) => [Key, Value]);
const many = (count: number): Tag[] => Array.from({ length: count }, (_, i) => ({ Key: `k${i}`, Value: "v" }));

describe("the tags of an object", () => {
  it("are set, counted, replaced and removed, without changing the object", async () => {
    const { ETag } = await put("a");
    expect(await tagsOf("a")).toEqual([]);
    await setTags("a", [
      { Key: "z", Value: "1 ü" },
      { Key: "a", Value: "" },
    ]);
    expect(await tagsOf("a")).toEqual([
      ["z", "1 ü"],
      ["a", ""],
    ]);
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: "a" }))).toMatchObject({ ETag, TagCount: 2 });
    await setTags("a", [{ Key: "b", Value: "2" }]);
    expect(await tagsOf("a")).toEqual([["b", "2"]]);
    await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key: "a" }));
    expect([await tagsOf("a"), (await s3.send(new HeadObjectCommand({ Bucket, Key: "a" }))).TagCount]).toEqual([
      [],
      undefined,
    ]);
    expect((await s3Refusal(setTags("none", []))).code).toBe("NoSuchKey");
  });

  it("come with a put, a copy and an upload in parts", async () => {
    await put("sent", { Tagging: "foo=b%20r+baz&empty" });
    const sent = [
      ["foo", "b r baz"],
      ["empty", ""],
    ];
    expect(await tagsOf("sent")).toEqual(sent);
    const CopySource = `${Bucket}/sent`;
    await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource, Tagging: "not=used" }));
    expect(await tagsOf("copy")).toEqual(sent);
    const replaced = { CopySource, TaggingDirective: "REPLACE" as const, Tagging: "new=1" };
    await s3.send(new CopyObjectCommand({ Bucket, Key: "sent", ...replaced }));
    expect(await tagsOf("sent")).toEqual([["new", "1"]]);
    const at = { Bucket, Key: "parts" };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...at, Tagging: "p=1" }));
    const { ETag } = await s3.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: "x" }));
    const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
    await s3.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }));
    expect(await tagsOf("parts")).toEqual([["p", "1"]]);
  });

  it("belong to one version", async () => {
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
    const { VersionId } = await put("versions", { Tagging: "old=1" });
    await put("versions");
    expect([await tagsOf("versions"), await tagsOf("versions", { VersionId })]).toEqual([[], [["old", "1"]]]);
    expect((await setTags("versions", many(1), { VersionId })).VersionId).toBe(VersionId);
    expect([await tagsOf("versions"), await tagsOf("versions", { VersionId })]).toEqual([[], [["k0", "v"]]]);
  });

  it.each<[string, Tag[]]>([
    ["11 tags", many(11)],
    ["a key of 129 characters", [{ Key: "k".repeat(129), Value: "" }]],
    ["a value of 257 characters", [{ Key: "k", Value: "v".repeat(257) }]],
    ["the same key twice", [...many(1), ...many(1)]],
    ["a mark that is not allowed", [{ Key: "k!", Value: "" }]],
    ["a reserved key", [{ Key: "aws:k", Value: "" }]],
  ])("are refused: %s", async (_, tags) => {
    await put("limits", { Tagging: "kept=1" });
    expect(await s3Refusal(setTags("limits", tags))).toEqual({ code: "InvalidTag", status: 400 });
    expect(await tagsOf("limits")).toEqual([["kept", "1"]]);
    await setTags(
      "limits",
      many(10).map(({ Key }) => ({ Key: Key?.padEnd(128, "k"), Value: "v".repeat(256) })),
    );
  });
});

it("The tags of a bucket are set, replaced and removed", async () => {
  const read = () => s3.send(new GetBucketTaggingCommand({ Bucket }));
  const write = (TagSet: Tag[]) => s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
  expect(await s3Refusal(read())).toEqual({ code: "NoSuchTagSet", status: 404 });
  await write(many(50));
  expect((await read()).TagSet).toEqual(many(50));
  expect((await s3Refusal(write(many(51)))).code).toBe("InvalidTag");
  await s3.send(new DeleteBucketTaggingCommand({ Bucket }));
  expect((await s3Refusal(read())).code).toBe("NoSuchTagSet");
});
