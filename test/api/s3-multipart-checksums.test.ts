import {
  type ChecksumAlgorithm,
  type ChecksumType,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { startChecksum } from "../../server/cloud/data/objects/checksums";
import { CHECKSUM_ALGORITHMS } from "../../server/cloud/data/objects/objects";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "checksums";
const PIECES = [Buffer.alloc(5 * 1024 * 1024, "part "), Buffer.from("the end")];
const server = await openForFile(s3Server());
const s3 = s3Client(server, (await (await s3Tenant(server)).key()).credentials);
await s3.send(new CreateBucketCommand({ Bucket }));

const checksumOf = async (algorithm: ChecksumAlgorithm, bytes: Buffer): Promise<string> => {
  const checksum = startChecksum(algorithm as (typeof CHECKSUM_ALGORITHMS)[number]);
  checksum.update(bytes);
  return checksum.digest();
};

interface Kind {
  algorithm?: ChecksumAlgorithm;
  type?: ChecksumType;
}

/** Uploads the pieces; the completion names the checksum of each. */
async function uploaded(Key: string, { algorithm, type }: Kind) {
  const started = await s3.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: algorithm, ChecksumType: type }),
  );
  const at = { Bucket, Key, UploadId: started.UploadId };
  const parts: CompletedPart[] = [];
  for (const [i, Body] of PIECES.entries()) {
    const checksum = algorithm && { [`Checksum${algorithm}`]: await checksumOf(algorithm, Body) };
    const { ETag } = await s3.send(new UploadPartCommand({ ...at, PartNumber: i + 1, Body, ...checksum }));
    parts.push({ PartNumber: i + 1, ETag, ...checksum });
  }
  const complete = (extra: object = {}, Parts = parts) =>
    s3.send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts }, ...extra }));
  return { parts, complete };
}

describe("the checksum of an object that was uploaded in parts", () => {
  const kinds = CHECKSUM_ALGORITHMS.flatMap((algorithm) =>
    (["COMPOSITE", "FULL_OBJECT"] as const).map((type) => ({ algorithm, type })),
  ).filter(({ algorithm, type }) => (type === "COMPOSITE" ? algorithm !== "CRC64NVME" : !algorithm.startsWith("SHA")));

  it.each(kinds)("is verified at its completion, and shown of it and of its parts: $algorithm $type", async (kind) => {
    const { algorithm, type } = kind;
    const Key = `${algorithm}-${type}`;
    const name = `Checksum${algorithm}`;
    const { parts, complete } = await uploaded(Key, kind);
    const sums = await Promise.all(PIECES.map((piece) => checksumOf(algorithm, piece)));
    const whole =
      type === "FULL_OBJECT"
        ? await checksumOf(algorithm, Buffer.concat(PIECES))
        : `${await checksumOf(algorithm, Buffer.concat(sums.map((sum) => Buffer.from(sum, "base64"))))}-2`;
    const other = type === "FULL_OBJECT" ? sums[0] : `${sums[0]}-2`;
    expect(await s3Refusal(complete({ [name]: other }))).toEqual({ code: "BadDigest", status: 400 });
    const foreign = algorithm === "SHA1" ? "SHA256" : "SHA1";
    const unknown = { [`Checksum${foreign}`]: await checksumOf(foreign, PIECES[0] ?? Buffer.alloc(0)) };
    expect(await s3Refusal(complete(unknown))).toEqual({ code: "InvalidRequest", status: 400 });
    const bare = parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
    if (type === "COMPOSITE") {
      expect(await s3Refusal(complete({}, bare))).toEqual({ code: "InvalidRequest", status: 400 });
    }
    const size = Buffer.concat(PIECES).length;
    const expected = { [name]: whole, ChecksumType: type };
    expect((await s3Refusal(complete({ ...expected, MpuObjectSize: size + 1 }))).code).toBe("InvalidRequest");
    expect(await complete({ ...expected, MpuObjectSize: size })).toMatchObject({
      [name]: whole,
      ChecksumType: type,
    });
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }))).toMatchObject({
      [name]: whole,
      ChecksumType: type,
    });
    const second = await s3.send(new GetObjectCommand({ Bucket, Key, PartNumber: 2, ChecksumMode: "ENABLED" }));
    expect([await second.Body?.transformToString(), second[name as "ChecksumCRC32"]]).toEqual(["the end", sums[1]]);
    const attributes = await s3.send(
      new GetObjectAttributesCommand({ Bucket, Key, ObjectAttributes: ["Checksum", "ObjectParts"] }),
    );
    expect(attributes).toMatchObject({
      Checksum: { [name]: whole.replace(/-2$/, ""), ChecksumType: type },
      ObjectParts: {
        TotalPartsCount: 2,
        Parts: sums.map((sum, i) => ({ PartNumber: i + 1, Size: PIECES[i]?.length, [name]: sum })),
      },
    });
  });

  it("is verified from those of the parts where the upload was started without one", async () => {
    const { complete } = await uploaded("unnamed", {});
    const sha = { ChecksumSHA256: await checksumOf("SHA256", Buffer.concat(PIECES)) };
    expect(await s3Refusal(complete(sha))).toEqual({ code: "InvalidRequest", status: 400 });
    expect(await s3Refusal(complete({ ChecksumCRC32: "AAAAAA==" }))).toEqual({ code: "BadDigest", status: 400 });
    const whole = await checksumOf("CRC32", Buffer.concat(PIECES));
    expect((await complete({ ChecksumCRC32: whole })).ChecksumCRC32).toBe(whole);
  });
});

it("A copy has the checksum that it asks for", async () => {
  const Body = Buffer.from("copied");
  await s3.send(new PutObjectCommand({ Bucket, Key: "source", Body }));
  const copy = { Bucket, Key: "copy", CopySource: `${Bucket}/source`, ChecksumAlgorithm: "SHA256" as const };
  const ChecksumSHA256 = await checksumOf("SHA256", Body);
  expect((await s3.send(new CopyObjectCommand(copy))).CopyObjectResult).toMatchObject({ ChecksumSHA256 });
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "copy", ChecksumMode: "ENABLED" }));
  expect(head).toMatchObject({ ChecksumSHA256, ChecksumType: "FULL_OBJECT" });
});
