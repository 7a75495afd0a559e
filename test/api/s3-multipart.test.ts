import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "multipart";
const PART = Buffer.alloc(5 * 1024 * 1024, "part ");
const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const s3 = s3Client(server, (await tenant.key()).credentials);
await s3.send(new CreateBucketCommand({ Bucket }));

async function start(Key: string, more: Partial<CreateMultipartUploadCommandInput> = {}) {
  const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }));
  const at = { Bucket, Key, UploadId };
  const part = async (PartNumber: number, Body: Buffer | string, extra: object = {}): Promise<CompletedPart> => {
    const { ETag, ChecksumCRC32 } = await s3.send(new UploadPartCommand({ ...at, PartNumber, Body, ...extra }));
    return { PartNumber, ETag, ...(more.ChecksumAlgorithm === "CRC32" && { ChecksumCRC32 }) };
  };
  const complete = (Parts: CompletedPart[], extra: object = {}) =>
    s3.send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts }, ...extra }));
  return { at, part, complete };
}

const bytesOf = async (Key: string, more: object = {}) =>
  Buffer.from(
    (await (await s3.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body?.transformToByteArray()) ?? [],
  );
const md5 = (bytes: Buffer | string) => createHash("md5").update(bytes).digest();

describe("a multipart upload", () => {
  it("becomes one object of its parts, with the properties it was started with", async () => {
    const upload = await start("whole", { ContentType: "text/parts", Metadata: { a: "b" } });
    expect((await s3Refusal(s3.send(new GetObjectCommand({ Bucket, Key: "whole" })))).code).toBe("NoSuchKey");
    const second = await upload.part(7, "the end");
    const first = await upload.part(2, PART);
    const { ETag, Location } = await upload.complete([first, second]);
    expect(ETag).toBe(`"${md5(Buffer.concat([md5(PART), md5("the end")])).toString("hex")}-2"`);
    expect(Location).toBe(`${server.url}/${Bucket}/whole`);
    expect(Buffer.compare(await bytesOf("whole"), Buffer.concat([PART, Buffer.from("the end")]))).toBe(0);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "whole" }));
    expect(head).toMatchObject({
      ETag,
      ContentType: "text/parts",
      Metadata: { a: "b" },
      ContentLength: PART.length + 7,
    });
  });

  it("can be read across its parts, and part by part", async () => {
    const range = `bytes=${PART.length - 2}-${PART.length + 2}`;
    expect((await bytesOf("whole", { Range: range })).toString()).toBe(`${PART.subarray(-2)}the`);
    const second = await s3.send(new GetObjectCommand({ Bucket, Key: "whole", PartNumber: 2 }));
    expect([await second.Body?.transformToString(), second.PartsCount]).toEqual(["the end", 2]);
    const wrong = s3.send(new HeadObjectCommand({ Bucket, Key: "whole", PartNumber: 3 }));
    expect((await s3Refusal(wrong)).status).toBe(416);
  });

  it("replaces a part that is sent again, and lists its parts in pages", async () => {
    const upload = await start("parts");
    for (const [number, text] of [
      [1, "old"],
      [1, "new"],
      [3, "c"],
    ] as const)
      await upload.part(number, text);
    const all = await s3.send(new ListPartsCommand(upload.at));
    expect(all.Parts?.map(({ PartNumber, Size, ETag }) => [PartNumber, Size, ETag])).toEqual([
      [1, 3, `"${md5("new").toString("hex")}"`],
      [3, 1, `"${md5("c").toString("hex")}"`],
    ]);
    const page = await s3.send(new ListPartsCommand({ ...upload.at, MaxParts: 1 }));
    expect([page.IsTruncated, page.NextPartNumberMarker]).toEqual([true, "1"]);
    const rest = await s3.send(new ListPartsCommand({ ...upload.at, PartNumberMarker: "1" }));
    expect(rest.Parts?.map(({ PartNumber }) => PartNumber)).toEqual([3]);
  });

  it.each<[string, (parts: CompletedPart[]) => CompletedPart[], string]>([
    ["in another order", ([a, b]) => [b ?? {}, a ?? {}], "InvalidPartOrder"],
    ["with a part that does not exist", ([a]) => [a ?? {}, { PartNumber: 9, ETag: '"x"' }], "InvalidPart"],
    ["with another ETag", ([a, b]) => [{ ...a, ETag: b?.ETag }, b ?? {}], "InvalidPart"],
    ["with a part that is too small before the last", ([, b]) => [b ?? {}, { ...b, PartNumber: 3 }], "EntityTooSmall"],
    ["without parts", () => [], "MalformedXML"],
  ])("%s fails, and can still be completed", async (_, change, code) => {
    const upload = await start("wrong");
    const parts = [await upload.part(1, PART), await upload.part(2, "end")];
    await upload.part(3, "end");
    expect(await s3Refusal(upload.complete(change(parts)))).toEqual({ code, status: 400 });
    await upload.complete(parts);
    expect((await bytesOf("wrong")).length).toBe(PART.length + 3);
  });

  it("that was aborted is gone with its parts", async () => {
    const upload = await start("aborted");
    const part = await upload.part(1, "x");
    await s3.send(new AbortMultipartUploadCommand(upload.at));
    for (const call of [
      () => upload.complete([part]),
      () => upload.part(2, "y"),
      () => s3.send(new ListPartsCommand(upload.at)),
      () => s3.send(new AbortMultipartUploadCommand(upload.at)),
    ]) {
      expect(await s3Refusal(call())).toEqual({ code: "NoSuchUpload", status: 404 });
    }
  });

  it("cannot be continued under another key", async () => {
    const upload = await start("mine");
    const call = s3.send(new UploadPartCommand({ ...upload.at, Key: "other", PartNumber: 1, Body: "x" }));
    expect((await s3Refusal(call)).code).toBe("NoSuchUpload");
  });

  it.each([0, 10_001])("has no part %i", async (number) => {
    expect((await s3Refusal((await start("numbers")).part(number, "x"))).code).toBe("InvalidArgument");
  });

  it("takes parts of other objects, and ranges of them", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "source", Body: "0123456789" }));
    const upload = await start("assembled");
    const first = await upload.part(1, PART);
    const copied = await s3.send(
      new UploadPartCopyCommand({
        ...upload.at,
        PartNumber: 2,
        CopySource: `${Bucket}/source`,
        CopySourceRange: "bytes=2-4",
      }),
    );
    await upload.complete([first, { PartNumber: 2, ETag: copied.CopyPartResult?.ETag }]);
    expect((await bytesOf("assembled", { Range: `bytes=${PART.length}-` })).toString()).toBe("234");
    for (const CopySourceRange of ["bytes=0-10", "bytes=4-2", "bytes=2-", "2-4"]) {
      const call = s3.send(
        new UploadPartCopyCommand({ ...upload.at, PartNumber: 2, CopySource: `${Bucket}/source`, CopySourceRange }),
      );
      expect((await s3Refusal(call)).status).toBeGreaterThanOrEqual(400);
    }
  });

  it("is completed only if the key is free, when the client asks for that", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "taken", Body: "first" }));
    const upload = await start("taken");
    const part = await upload.part(1, "second");
    expect(await s3Refusal(upload.complete([part], { IfNoneMatch: "*" }))).toEqual({
      code: "PreconditionFailed",
      status: 412,
    });
    expect((await bytesOf("taken")).toString()).toBe("first");
  });

  it("has the checksum of its parts", async () => {
    const upload = await start("summed", { ChecksumAlgorithm: "CRC32" });
    const parts = [
      await upload.part(1, PART, { ChecksumAlgorithm: "CRC32" }),
      await upload.part(2, "x", { ChecksumAlgorithm: "CRC32" }),
    ];
    const done = await upload.complete(parts);
    expect(done).toMatchObject({ ChecksumCRC32: expect.stringMatching(/-2$/), ChecksumType: "COMPOSITE" });
    const wrong = await start("summed", { ChecksumAlgorithm: "CRC32" });
    const [part] = [await wrong.part(1, "x", { ChecksumAlgorithm: "CRC32" })];
    expect((await s3Refusal(wrong.complete([{ ...part, ChecksumCRC32: "AAAAAA==" }]))).status).toBe(400);
  });

  it("shows the sizes of its parts, by pages", async () => {
    const upload = await start("parts");
    const sent = [await upload.part(1, PART), await upload.part(5, PART), await upload.part(9, "the end")];
    await upload.complete(sent);
    const partsOf = async (more: object) =>
      (
        await s3.send(
          new GetObjectAttributesCommand({ Bucket, Key: "parts", ObjectAttributes: ["ObjectParts"], ...more }),
        )
      ).ObjectParts;
    expect(await partsOf({ MaxParts: 2 })).toMatchObject({
      TotalPartsCount: 3,
      MaxParts: 2,
      IsTruncated: true,
      NextPartNumberMarker: "2",
      Parts: [
        { PartNumber: 1, Size: PART.length },
        { PartNumber: 2, Size: PART.length },
      ],
    });
    expect(await partsOf({ PartNumberMarker: 2 })).toMatchObject({
      IsTruncated: false,
      Parts: [{ PartNumber: 3, Size: 7 }],
    });
  });

  it("cannot be completed with no body", async () => {
    const upload = await start("empty");
    const empty = new CompleteMultipartUploadCommand(upload.at);
    expect(await s3Refusal(s3.send(empty))).toEqual({ code: "MalformedXML", status: 400 });
  });

  it("of lib-storage stores a stream of unknown length", async () => {
    const pieces = Array.from({ length: 120 }, (_, i) => Buffer.alloc(100_000, `piece ${i}. `));
    const upload = new Upload({ client: s3, params: { Bucket, Key: "stream", Body: Readable.from(pieces) } });
    await upload.done();
    expect(Buffer.compare(await bytesOf("stream"), Buffer.concat(pieces))).toBe(0);
  });
});
