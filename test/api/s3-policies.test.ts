import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeletePublicAccessBlockCommand,
  GetBucketPolicyCommand,
  GetBucketPolicyStatusCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  GetPublicAccessBlockCommand,
  ListObjectsV2Command,
  PutBucketAclCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  PutPublicAccessBlockCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { deleteObject } from "../../server/cloud/data/buckets/delete-object";
import { listObjects } from "../../server/cloud/data/buckets/list-objects";
import { updateBucket } from "../../server/cloud/data/buckets/update-bucket";
import { TEST_REQUEST } from "../factories/app";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const server = await openForFile(s3Server());
const [tenant, neighbour] = [await s3Tenant(server), await s3Tenant(server)];
const key = await tenant.key();
const s3 = s3Client(server, key.credentials);
const other = s3Client(server, (await neighbour.key()).credentials);
const anonymous = s3Client(server, undefined, {
  signer: { sign: async (request) => request },
  credentials: { accessKeyId: "none", secretAccessKey: "none" },
});

let buckets = 0;
async function bucketWith(...statements: Record<string, unknown>[]) {
  const Bucket = `policies-${++buckets}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (const Key of ["public/a", "private/b"]) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  if (statements.length > 0) await putPolicy(Bucket, ...statements);
  return Bucket;
}

const policyText = (Bucket: string, statements: readonly Record<string, unknown>[]): string =>
  JSON.stringify({ Version: "2012-10-17", Statement: statements }).replaceAll("BUCKET", `arn:aws:s3:::${Bucket}`);

const putPolicy = (Bucket: string, ...statements: Record<string, unknown>[]) =>
  s3.send(new PutBucketPolicyCommand({ Bucket, Policy: policyText(Bucket, statements) }));

const get = (client: S3Client, Bucket: string, Key = "public/a") => client.send(new GetObjectCommand({ Bucket, Key }));
const codeOf = async (call: Promise<unknown>) =>
  call.then(
    () => "ok",
    ({ name }: Error) => name,
  );

const READ = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "BUCKET/public/*" };
const NEIGHBOUR = { AWS: `arn:aws:iam::${neighbour.ctx.tenantId}:root` };

describe("a bucket policy", () => {
  it("is returned as it was sent, until it is deleted", async () => {
    const Bucket = await bucketWith();
    expect(await s3Refusal(s3.send(new GetBucketPolicyCommand({ Bucket })))).toEqual({
      code: "NoSuchBucketPolicy",
      status: 404,
    });
    const Policy = `${policyText(Bucket, [READ])}\n`;
    await s3.send(new PutBucketPolicyCommand({ Bucket, Policy }));
    expect((await s3.send(new GetBucketPolicyCommand({ Bucket }))).Policy).toBe(Policy);
    await s3.send(new DeleteBucketPolicyCommand({ Bucket }));
    expect(await codeOf(get(anonymous, Bucket))).toBe("AccessDenied");
  });

  it("lets others in for what it names, and for nothing else", async () => {
    const Bucket = await bucketWith(READ, {
      Effect: "Allow",
      Principal: NEIGHBOUR,
      Action: ["s3:PutObject", "s3:ListBucket", "s3:DeleteBucketPolicy", "s3:PutBucketAcl"],
      Resource: ["BUCKET", "BUCKET/inbox/*"],
    });
    const put = (Key: string) => new PutObjectCommand({ Bucket, Key, Body: "x" });
    const list = new ListObjectsV2Command({ Bucket });
    expect(await codeOf(get(anonymous, Bucket))).toBe("ok");
    expect(await codeOf(get(anonymous, Bucket, "private/b"))).toBe("AccessDenied");
    expect(await codeOf(anonymous.send(list))).toBe("AccessDenied");
    expect(await codeOf(other.send(put("inbox/a")))).toBe("ok");
    expect(await codeOf(other.send(put("public/a")))).toBe("AccessDenied");
    expect((await other.send(list)).KeyCount).toBe(3);
    // Only the owner can change settings, even if the policy allows more.
    expect(await codeOf(other.send(new DeleteBucketPolicyCommand({ Bucket })))).toBe("AccessDenied");
    expect(await codeOf(other.send(new PutBucketAclCommand({ Bucket, ACL: "public-read" })))).toBe("AccessDenied");
    const reader = s3Client(server, (await neighbour.key({ scopes: ["storage:read"] })).credentials);
    expect(await codeOf(reader.send(put("inbox/b")))).toBe("AccessDenied");
  });

  it("denies its owner too, at the REST API as well, but not the policy itself", async () => {
    const Bucket = await bucketWith({
      Effect: "Deny",
      Principal: "*",
      Action: ["s3:Delete*", "s3:PutBucketPolicy", "s3:ListBucket"],
      Resource: ["BUCKET", "BUCKET/private/*"],
    });
    const remove = (Key: string) => s3.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(await codeOf(remove("private/b"))).toBe("AccessDenied");
    expect(await codeOf(remove("public/a"))).toBe("ok");
    const ctx = { ...server.test.app.cloud, actor: tenant.ctx.actor, request: TEST_REQUEST };
    const rest = deleteObject.run(ctx, deleteObject.input.parse({ bucket: Bucket, key: "private/b" }));
    await expect(rest).rejects.toMatchObject({ code: "forbidden", details: { reason: "policy_denies" } });
    await expect(listObjects.run(ctx, listObjects.input.parse({ bucket: Bucket }))).rejects.toMatchObject({
      code: "forbidden",
    });
    await s3.send(new DeleteBucketPolicyCommand({ Bucket }));
    expect(await codeOf(remove("private/b"))).toBe("ok");
  });

  it("is about each key of a batch and about the source of a copy", async () => {
    const Bucket = await bucketWith(
      { Effect: "Allow", Principal: NEIGHBOUR, Action: "s3:*", Resource: "BUCKET/*" },
      {
        Effect: "Deny",
        Principal: NEIGHBOUR,
        Action: ["s3:DeleteObject", "s3:GetObject"],
        Resource: "BUCKET/private/*",
      },
    );
    const own = `own-${Bucket}`;
    await other.send(new CreateBucketCommand({ Bucket: own }));
    const copy = (source: string) =>
      other.send(new CopyObjectCommand({ Bucket: own, Key: "copy", CopySource: `${Bucket}/${source}` }));
    expect(await codeOf(copy("private/b"))).toBe("AccessDenied");
    expect(await codeOf(copy("public/a"))).toBe("ok");
    const Objects = [{ Key: "private/b" }, { Key: "public/a" }];
    const { Deleted, Errors } = await other.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Deleted).toMatchObject([{ Key: "public/a" }]);
    expect(Errors).toMatchObject([{ Key: "private/b", Code: "AccessDenied" }]);
    expect(await codeOf(get(s3, Bucket, "private/b"))).toBe("ok");
  });

  it("has the source of a copy as a condition, however the source is written", async () => {
    const from = await bucketWith(READ);
    const Bucket = await bucketWith({
      Effect: "Deny",
      Principal: "*",
      Action: "s3:PutObject",
      Resource: "BUCKET/*",
      Condition: { StringLike: { "s3:x-amz-copy-source": `${from}/private/*` } },
    });
    const copy = (CopySource: string) => codeOf(s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource })));
    expect(await copy(`${from}/public/a`)).toBe("ok");
    for (const source of [`${from}/private/b`, `/${from}/private/b`, `${from}/%70rivate%2Fb`]) {
      expect(await copy(source)).toBe("AccessDenied");
    }
  });

  it("leaves out with NotPrincipal those whose account and key it names", async () => {
    const { tenantId } = tenant.ctx;
    const Bucket = await bucketWith({
      Effect: "Deny",
      NotPrincipal: { AWS: [`arn:aws:iam::${tenantId}:root`, `arn:aws:iam::${tenantId}:user/${key.id}`] },
      Action: "s3:GetObject",
      Resource: "BUCKET/*",
    });
    const sibling = s3Client(server, (await tenant.key()).credentials);
    expect([await codeOf(get(s3, Bucket)), await codeOf(get(sibling, Bucket))]).toEqual(["ok", "AccessDenied"]);
  });

  it.each<[string, object, (client: S3Client, Bucket: string) => Promise<unknown>, string]>([
    [
      "a prefix",
      { StringEquals: { "s3:prefix": "public/" } },
      (c, Bucket) => c.send(new ListObjectsV2Command({ Bucket, Prefix: "public/" })),
      "ok",
    ],
    [
      "another prefix",
      { StringEquals: { "s3:prefix": "public/" } },
      (c, Bucket) => c.send(new ListObjectsV2Command({ Bucket })),
      "AccessDenied",
    ],
    ["an address", { IpAddress: { "aws:SourceIp": ["127.0.0.0/8", "::1/128"] } }, (c, Bucket) => get(c, Bucket), "ok"],
    [
      "another address",
      { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
      (c, Bucket) => get(c, Bucket),
      "AccessDenied",
    ],
    ["TLS", { Bool: { "aws:SecureTransport": "true" } }, (c, Bucket) => get(c, Bucket), "AccessDenied"],
    [
      "a version",
      { StringEquals: { "s3:VersionId": "null" } },
      (c, Bucket) => c.send(new GetObjectCommand({ Bucket, Key: "public/a", VersionId: "null" })),
      "ok",
    ],
    [
      "an account",
      { StringEquals: { "aws:PrincipalAccount": neighbour.ctx.tenantId } },
      (c, Bucket) => get(c, Bucket),
      "ok",
    ],
  ])("has a condition on %s", async (...[, Condition, run, expected]) => {
    const Bucket = await bucketWith({
      Effect: "Allow",
      Principal: NEIGHBOUR,
      Action: ["s3:Get*", "s3:List*"],
      Resource: ["BUCKET", "BUCKET/*"],
      Condition,
    });
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
    expect(await codeOf(run(other, Bucket))).toBe(expected);
  });

  it("has conditions on the tags of objects", async () => {
    const [READ_TAGGED, WRITE_TAGGED] = ["ExistingObjectTag", "RequestObjectTag"].map((name, i) => ({
      Effect: "Allow",
      Principal: NEIGHBOUR,
      Action: i === 0 ? "s3:GetObject" : ["s3:PutObject", "s3:PutObjectTagging"],
      Resource: "BUCKET/*",
      Condition: { StringEquals: { [`s3:${name}/Shared`]: "yes" } },
    }));
    const Bucket = await bucketWith(READ_TAGGED ?? {}, WRITE_TAGGED ?? {});
    const put = (Key: string, Tagging: string) => new PutObjectCommand({ Bucket, Key, Body: "x", Tagging });
    expect(await codeOf(other.send(put("a", "Shared=no")))).toBe("AccessDenied");
    expect(await codeOf(other.send(put("a", "Shared=yes")))).toBe("ok");
    expect([await codeOf(get(other, Bucket, "a")), await codeOf(get(other, Bucket))]).toEqual(["ok", "AccessDenied"]);
  });

  it("has conditions on the tags in a body, which is read once", async () => {
    const Bucket = await bucketWith(
      {
        Effect: "Allow",
        Principal: NEIGHBOUR,
        Action: "s3:PutObjectTagging",
        Resource: "BUCKET/*",
        Condition: { StringEquals: { "s3:RequestObjectTag/Shared": "yes" } },
      },
      {
        Effect: "Deny",
        Principal: "*",
        Action: "s3:PutObjectTagging",
        Resource: "BUCKET/*",
        Condition: { "ForAnyValue:StringEquals": { "s3:RequestObjectTagKeys": ["Secret"] } },
      },
    );
    await s3.send(new PutObjectCommand({ Bucket, Key: "a", Body: "x" }));
    const tag = (client: S3Client, ...tags: [Key: string, Value: string][]) =>
      codeOf(
        client.send(
          new PutObjectTaggingCommand({
            Bucket,
            Key: "a",
            Tagging: { TagSet: tags.map(([Key, Value]) => ({ Key, Value })) },
          }),
        ),
      );
    expect(await tag(other, ["Shared", "no"])).toBe("AccessDenied");
    expect(await tag(other)).toBe("AccessDenied");
    expect(await tag(other, ["Shared", "yes"], ["b", "ü =+"])).toBe("ok");
    expect((await s3.send(new GetObjectTaggingCommand({ Bucket, Key: "a" }))).TagSet).toEqual([
      { Key: "Shared", Value: "yes" },
      { Key: "b", Value: "ü =+" },
    ]);
    expect(await tag(other, ["Shared", "yes"], ["Secret", ""])).toBe("AccessDenied");
    expect([await tag(s3, ["Secret", ""]), await tag(s3, ["b", ""])]).toEqual(["AccessDenied", "ok"]);
    expect(await tag(s3, ["b", ""], ["b", ""])).toBe("InvalidTag");
  });

  it("that is not valid changes nothing and says why", async () => {
    const Bucket = await bucketWith(READ);
    for (const Policy of ["{", "x".repeat(21_000), policyText(Bucket, [{ ...READ, Action: "s3:Fetch" }])]) {
      const failure = await s3.send(new PutBucketPolicyCommand({ Bucket, Policy })).catch((error) => error);
      expect(failure).toMatchObject({ name: "MalformedPolicy", $metadata: { httpStatusCode: 400 } });
    }
    expect(await codeOf(get(anonymous, Bucket))).toBe("ok");
  });
});

describe("public access", () => {
  const isPublic = async (Bucket: string) =>
    (await s3.send(new GetBucketPolicyStatusCommand({ Bucket }))).PolicyStatus?.IsPublic;
  const block = (Bucket: string, PublicAccessBlockConfiguration: Record<string, boolean>) =>
    s3.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration }));

  it("is what a policy or public_read gives to everyone", async () => {
    const Bucket = await bucketWith({ ...READ, Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } } });
    expect(await isPublic(Bucket)).toBe(false);
    await putPolicy(Bucket, READ);
    expect(await isPublic(Bucket)).toBe(true);
    await s3.send(new DeleteBucketPolicyCommand({ Bucket }));
    expect(await isPublic(Bucket)).toBe(false);
    await s3.send(new PutBucketAclCommand({ Bucket, ACL: "public-read" }));
    expect(await isPublic(Bucket)).toBe(true);
  });

  it("is blocked as the bucket says", async () => {
    const Bucket = await bucketWith();
    expect(await codeOf(s3.send(new GetPublicAccessBlockCommand({ Bucket })))).toBe(
      "NoSuchPublicAccessBlockConfiguration",
    );
    const ctx = { ...server.test.app.cloud, actor: tenant.ctx.actor, request: TEST_REQUEST };
    await updateBucket.run(ctx, { bucket: Bucket, public_read: true });
    await block(Bucket, { IgnorePublicAcls: true });
    expect(await codeOf(get(anonymous, Bucket))).toBe("AccessDenied");
    await block(Bucket, { BlockPublicPolicy: true, BlockPublicAcls: true });
    expect(await codeOf(get(anonymous, Bucket))).toBe("ok");
    expect(await codeOf(putPolicy(Bucket, READ))).toBe("AccessDenied");
    expect(await codeOf(putPolicy(Bucket, { ...READ, Principal: NEIGHBOUR }))).toBe("ok");
    expect(await codeOf(s3.send(new PutBucketAclCommand({ Bucket, ACL: "public-read" })))).toBe("AccessDenied");
    await s3.send(new DeletePublicAccessBlockCommand({ Bucket }));
    await s3.send(new PutBucketAclCommand({ Bucket, ACL: "private" }));
    await putPolicy(Bucket, READ);
    await block(Bucket, { RestrictPublicBuckets: true });
    expect((await s3.send(new GetPublicAccessBlockCommand({ Bucket }))).PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: false,
      BlockPublicPolicy: false,
      IgnorePublicAcls: false,
      RestrictPublicBuckets: true,
    });
    expect([await codeOf(get(anonymous, Bucket)), await codeOf(get(other, Bucket))]).toEqual([
      "AccessDenied",
      "AccessDenied",
    ]);
  });
});
