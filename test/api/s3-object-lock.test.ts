import { createHash, createHmac } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectLegalHoldCommand,
  GetObjectLockConfigurationCommand,
  GetObjectRetentionCommand,
  HeadObjectCommand,
  type ObjectLockRetention,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectLockConfigurationCommand,
  PutObjectRetentionCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { manage } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const DAY_MS = 86_400_000;
const server = await openForFile(s3Server());
const [tenant, neighbour] = [await s3Tenant(server), await s3Tenant(server)];
const { credentials, bearer } = await tenant.key();
const s3 = s3Client(server, credentials);
const other = s3Client(server, (await neighbour.key()).credentials);

/** The begin of this file, in whole seconds, as clients send times. */
const START = Math.floor(server.test.clock.now().getTime() / 1000) * 1000;
const inDays = (days: number) => new Date(START + days * DAY_MS);
const retained = (Mode: "GOVERNANCE" | "COMPLIANCE", days: number) => ({ Mode, RetainUntilDate: inDays(days) });

let buckets = 0;
async function bucketWith(fields: object = { ObjectLockEnabledForBucket: true }): Promise<string> {
  const Bucket = `locked-${++buckets}`;
  await s3.send(new CreateBucketCommand({ Bucket, ...fields }));
  return Bucket;
}
const [Bucket, Plain] = [await bucketWith(), await bucketWith({})];

interface Lock {
  ObjectLockMode?: "GOVERNANCE" | "COMPLIANCE";
  ObjectLockRetainUntilDate?: Date;
  ObjectLockLegalHoldStatus?: "ON" | "OFF";
  Bucket?: string;
}

const put = (Key: string, more: object = {}) => s3.send(new PutObjectCommand({ Bucket, Key, Body: "x", ...more }));
const head = (Key: string, more: object = {}) => s3.send(new HeadObjectCommand({ Bucket, Key, ...more }));
const remove = (Key: string, more: object = {}) => s3.send(new DeleteObjectCommand({ Bucket, Key, ...more }));
const retain = (Key: string, Retention: ObjectLockRetention, more: object = {}) =>
  s3.send(new PutObjectRetentionCommand({ Bucket, Key, Retention, ...more }));
const retention = async (Key: string, more: object = {}) =>
  (await s3.send(new GetObjectRetentionCommand({ Bucket, Key, ...more }))).Retention;
const hold = (Key: string, Status: "ON" | "OFF", more: object = {}) =>
  s3.send(new PutObjectLegalHoldCommand({ Bucket, Key, LegalHold: { Status }, ...more }));
const setDefault = (asked: string, rule?: object, more: object = {}) =>
  s3.send(
    new PutObjectLockConfigurationCommand({
      Bucket: asked,
      ObjectLockConfiguration: {
        ObjectLockEnabled: "Enabled",
        ...(rule && { Rule: { DefaultRetention: rule } }),
        ...more,
      },
    }),
  );
const versioning = (asked: string, Status: "Enabled" | "Suspended") =>
  s3.send(new PutBucketVersioningCommand({ Bucket: asked, VersioningConfiguration: { Status } }));
const DENIED = { code: "AccessDenied", status: 403 };

describe("a bucket with object lock", () => {
  it("has versioning, which stays on", async () => {
    expect((await s3.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBe("Enabled");
    expect(await s3Refusal(versioning(Bucket, "Suspended"))).toEqual({ code: "InvalidBucketState", status: 409 });
    await versioning(Bucket, "Enabled");
    const repeated = s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
    expect((await s3Refusal(repeated)).code).toBe("BucketAlreadyOwnedByYou");
  });

  it("is made by its creation, or of one with versioning, and has a default retention or none", async () => {
    const config = async (asked: string) =>
      (await s3.send(new GetObjectLockConfigurationCommand({ Bucket: asked }))).ObjectLockConfiguration;
    expect(await config(Bucket)).toEqual({ ObjectLockEnabled: "Enabled" });
    const later = await bucketWith({});
    expect(await s3Refusal(config(later))).toEqual({ code: "ObjectLockConfigurationNotFoundError", status: 404 });
    expect(await s3Refusal(setDefault(later))).toEqual({ code: "InvalidBucketState", status: 409 });
    await versioning(later, "Enabled");
    await setDefault(later);
    expect(await config(later)).toEqual({ ObjectLockEnabled: "Enabled" });
    for (const rule of [
      { Mode: "GOVERNANCE", Days: 30 },
      { Mode: "COMPLIANCE", Years: 100 },
    ]) {
      await setDefault(later, rule);
      expect(await config(later)).toEqual({ ObjectLockEnabled: "Enabled", Rule: { DefaultRetention: rule } });
    }
    await setDefault(later);
    expect(await config(later)).toEqual({ ObjectLockEnabled: "Enabled" });
    expect((await s3Refusal(versioning(later, "Suspended"))).code).toBe("InvalidBucketState");
  });

  it.each<[string, object | undefined, object, string]>([
    ["days and years", { Mode: "GOVERNANCE", Days: 1, Years: 1 }, {}, "MalformedXML"],
    ["no period", { Mode: "GOVERNANCE" }, {}, "MalformedXML"],
    ["no mode", { Days: 1 }, {}, "MalformedXML"],
    ["an unknown mode", { Mode: "governance", Days: 1 }, {}, "MalformedXML"],
    ["another state", undefined, { ObjectLockEnabled: "Disabled" }, "MalformedXML"],
    ["no state", undefined, { ObjectLockEnabled: undefined }, "MalformedXML"],
    ["no days", { Mode: "GOVERNANCE", Days: 0 }, {}, "InvalidArgument"],
    ["negative years", { Mode: "GOVERNANCE", Years: -1 }, {}, "InvalidArgument"],
    ["too many days", { Mode: "GOVERNANCE", Days: 36_501 }, {}, "InvalidArgument"],
    ["too many years", { Mode: "GOVERNANCE", Years: 101 }, {}, "InvalidArgument"],
  ])("is not configured with %s", async (...[, rule, more, code]) => {
    expect(await s3Refusal(setDefault(Bucket, rule, more))).toEqual({ code, status: 400 });
  });

  it("retains new versions by its default, where they name nothing", async () => {
    const own = await bucketWith();
    await setDefault(own, { Mode: "COMPLIANCE", Days: 2 });
    const before = server.test.clock.now().getTime();
    await put("default", { Bucket: own });
    const after = server.test.clock.now().getTime();
    const shown = await head("default", { Bucket: own });
    expect(shown).toMatchObject({ ObjectLockMode: "COMPLIANCE" });
    expect(shown.ObjectLockLegalHoldStatus).toBeUndefined();
    const until = shown.ObjectLockRetainUntilDate?.getTime() ?? 0;
    expect(until).toBeGreaterThanOrEqual(before + 2 * DAY_MS);
    expect(until).toBeLessThanOrEqual(after + 2 * DAY_MS);
    await put("own", { Bucket: own, ObjectLockMode: "GOVERNANCE", ObjectLockRetainUntilDate: inDays(1) });
    expect(await retention("own", { Bucket: own })).toEqual(retained("GOVERNANCE", 1));
    await remove("own", { Bucket: own });
    expect((await s3Refusal(s3.send(new DeleteBucketCommand({ Bucket: own })))).code).toBe("BucketNotEmpty");
    const forced = await manage(server.test, `/v1/storage/buckets/${own}?force=true`, {
      key: bearer,
      method: "DELETE",
    });
    expect(forced.status).toBe(409);
    expect(await forced.json()).toMatchObject({ error: { details: { reason: "locked_objects" } } });
  });
});

describe("the lock of an object", () => {
  it("comes with a put, is shown with it, and keeps that version, not its key", async () => {
    const lock: Lock = {
      ObjectLockMode: "GOVERNANCE",
      ObjectLockRetainUntilDate: inDays(3),
      ObjectLockLegalHoldStatus: "ON",
    };
    const { VersionId } = await put("put", lock);
    expect(await head("put")).toMatchObject(lock);
    expect(await s3.send(new GetObjectCommand({ Bucket, Key: "put" }))).toMatchObject(lock);
    expect(await retention("put")).toEqual(retained("GOVERNANCE", 3));
    const held = await s3.send(new GetObjectLegalHoldCommand({ Bucket, Key: "put", VersionId }));
    expect(held.LegalHold).toEqual({ Status: "ON" });
    expect(await s3Refusal(remove("put", { VersionId }))).toEqual(DENIED);
    expect(await s3Refusal(remove("put", { VersionId, BypassGovernanceRetention: true }))).toEqual(DENIED);
    await put("put");
    expect((await head("put")).ObjectLockMode).toBeUndefined();
    expect((await remove("put")).DeleteMarker).toBe(true);
    await hold("put", "OFF", { VersionId });
    expect(await head("put", { VersionId })).toMatchObject({ ...lock, ObjectLockLegalHoldStatus: "OFF" });
    expect(await s3Refusal(remove("put", { VersionId }))).toEqual(DENIED);
    await remove("put", { VersionId, BypassGovernanceRetention: true });
    expect((await s3Refusal(retention("put", { VersionId }))).code).toBe("NoSuchVersion");
  });

  it("comes with copies and uploads in parts, and not from the source", async () => {
    const lock: Lock = {
      ObjectLockMode: "COMPLIANCE",
      ObjectLockRetainUntilDate: inDays(1),
      ObjectLockLegalHoldStatus: "OFF",
    };
    await put("source", { ObjectLockLegalHoldStatus: "ON" });
    const copy = (Key: string, more: object = {}) =>
      s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/source`, ...more }));
    await copy("copy");
    expect((await head("copy")).ObjectLockLegalHoldStatus).toBeUndefined();
    await copy("copy", lock);
    expect(await head("copy")).toMatchObject(lock);
    await copy("source", lock);
    expect(await head("source")).toMatchObject(lock);
    const Key = "parts";
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...lock }));
    const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: "x" }));
    const { VersionId } = await s3.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts: [{ ETag, PartNumber: 1 }] },
      }),
    );
    expect(await head(Key)).toMatchObject(lock);
    expect(await s3Refusal(remove(Key, { VersionId }))).toEqual(DENIED);
  });

  const until = { ObjectLockRetainUntilDate: inDays(1) };
  it.each<[string, Lock, string]>([
    ["a mode alone", { ObjectLockMode: "GOVERNANCE" }, "InvalidArgument"],
    ["a date alone", until, "InvalidArgument"],
    ["an unknown mode", { ObjectLockMode: "governance" as "GOVERNANCE", ...until }, "InvalidArgument"],
    ["an unknown hold", { ObjectLockLegalHoldStatus: "on" as "ON" }, "InvalidArgument"],
    [
      "a date that has passed",
      { ObjectLockMode: "GOVERNANCE", ObjectLockRetainUntilDate: inDays(-1) },
      "InvalidArgument",
    ],
    ["a hold in a bucket without lock", { Bucket: Plain, ObjectLockLegalHoldStatus: "ON" }, "InvalidRequest"],
    ["a retention there", { Bucket: Plain, ObjectLockMode: "GOVERNANCE", ...until }, "InvalidRequest"],
  ])("is refused with %s", async (...[, fields, code]) => {
    expect(await s3Refusal(put("refused", fields))).toEqual({ code, status: 400 });
    const upload = s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "refused", ...fields }));
    expect(await s3Refusal(upload)).toEqual({ code, status: 400 });
    expect((await s3Refusal(head("refused"))).status).toBe(404);
  });

  it("needs a digest of the bytes of a put", async () => {
    const bare = s3Client(server, credentials, { requestChecksumCalculation: "WHEN_REQUIRED" });
    const send = (more: object) =>
      bare.send(new PutObjectCommand({ Bucket, Key: "digest", Body: "x", ObjectLockLegalHoldStatus: "OFF", ...more }));
    expect(await s3Refusal(send({}))).toEqual({ code: "InvalidRequest", status: 400 });
    await send({ ContentMD5: createHash("md5").update("x").digest("base64") });
    await send({ ChecksumAlgorithm: "SHA256" });
    expect((await head("digest")).ObjectLockLegalHoldStatus).toBe("OFF");
  });

  it("comes with a form", async () => {
    const lock = {
      "x-amz-object-lock-mode": "GOVERNANCE",
      "x-amz-object-lock-retain-until-date": inDays(2).toISOString(),
      "x-amz-object-lock-legal-hold": "ON",
    };
    const conditions = [
      { bucket: Bucket },
      { key: "form" },
      ...Object.entries(lock).map(([name, value]) => ({ [name]: value })),
    ];
    const expiration = inDays(1).toISOString();
    const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString("base64");
    const signature = createHmac("sha1", credentials.secretAccessKey).update(policy).digest("base64");
    const form = new FormData();
    const fields = { key: "form", AWSAccessKeyId: credentials.accessKeyId, policy, signature, ...lock };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("file", new Blob(["x"]));
    expect((await fetch(`${server.url}/${Bucket}`, { method: "POST", body: form })).status).toBe(204);
    expect(await retention("form")).toEqual(retained("GOVERNANCE", 2));
    expect((await head("form")).ObjectLockLegalHoldStatus).toBe("ON");
  });
});

describe("the retention of a version", () => {
  it("is extended, and in governance mode shortened, changed and removed by those who bypass it", async () => {
    const bypass = { BypassGovernanceRetention: true };
    await put("g");
    expect(await s3Refusal(retention("g"))).toEqual({ code: "NoSuchObjectLockConfiguration", status: 404 });
    await retain("g", retained("GOVERNANCE", 5));
    await retain("g", retained("GOVERNANCE", 6));
    expect(await s3Refusal(retain("g", retained("GOVERNANCE", 5)))).toEqual(DENIED);
    expect(await s3Refusal(retain("g", retained("COMPLIANCE", 6)))).toEqual(DENIED);
    expect(await s3Refusal(retain("g", {}))).toEqual(DENIED);
    expect(await retention("g")).toEqual(retained("GOVERNANCE", 6));
    await retain("g", retained("GOVERNANCE", 1), bypass);
    expect(await retention("g")).toEqual(retained("GOVERNANCE", 1));
    await retain("g", {}, bypass);
    expect((await s3Refusal(retention("g"))).code).toBe("NoSuchObjectLockConfiguration");
    await retain("g", retained("GOVERNANCE", 1));
    await retain("g", retained("COMPLIANCE", 1), bypass);
    for (const less of [retained("GOVERNANCE", 2), retained("COMPLIANCE", 0.5), {}]) {
      expect(await s3Refusal(retain("g", less, bypass))).toEqual(DENIED);
    }
    await retain("g", retained("COMPLIANCE", 2));
    expect(await retention("g")).toEqual(retained("COMPLIANCE", 2));
  });

  const Mode = "GOVERNANCE" as const;
  it.each<[string, () => Promise<unknown>, string, number]>([
    ["an unknown mode", () => retain("r", { Mode: "abc" as never, RetainUntilDate: inDays(1) }), "MalformedXML", 400],
    ["a mode alone", () => retain("r", { Mode }), "MalformedXML", 400],
    ["a date alone", () => retain("r", { RetainUntilDate: inDays(1) }), "MalformedXML", 400],
    ["a date that has passed", () => retain("r", retained(Mode, -1)), "InvalidArgument", 400],
    ["a key that does not exist", () => retain("none", retained(Mode, 1)), "NoSuchKey", 404],
    [
      "a version that does not exist",
      () => retain("r", retained(Mode, 1), { VersionId: "0".repeat(30) }),
      "NoSuchVersion",
      404,
    ],
    ["a bucket without lock", () => retain("r", retained(Mode, 1), { Bucket: Plain }), "InvalidRequest", 400],
    ["a bucket without lock, read", () => retention("r", { Bucket: Plain }), "InvalidRequest", 400],
    ["an unknown hold", () => hold("r", "on" as never), "MalformedXML", 400],
    ["a hold in a bucket without lock", () => hold("r", "ON", { Bucket: Plain }), "InvalidRequest", 400],
    [
      "a hold there, read",
      () => s3.send(new GetObjectLegalHoldCommand({ Bucket: Plain, Key: "r" })),
      "InvalidRequest",
      400,
    ],
    [
      "a hold that was never set",
      () => s3.send(new GetObjectLegalHoldCommand({ Bucket, Key: "r" })),
      "NoSuchObjectLockConfiguration",
      404,
    ],
  ])("is refused with %s", async (...[, call, code, status]) => {
    await put("r");
    expect(await s3Refusal(call())).toEqual({ code, status });
  });

  it("is refused for a delete marker", async () => {
    const { VersionId } = await remove("marked");
    expect((await s3Refusal(retain("marked", retained(Mode, 1)))).code).toBe("NoSuchKey");
    expect((await s3Refusal(hold("marked", "ON", { VersionId }))).status).toBe(405);
  });

  it("keeps versions of a batch, each with its own error", async () => {
    const [free, kept, held] = [
      await put("batch-free"),
      await put("batch-kept", { ObjectLockMode: Mode, ObjectLockRetainUntilDate: inDays(1) }),
      await put("batch-held", { ObjectLockLegalHoldStatus: "ON" }),
    ];
    const Objects = [
      { Key: "batch-free", VersionId: free.VersionId },
      { Key: "batch-kept", VersionId: kept.VersionId },
      { Key: "batch-held", VersionId: held.VersionId },
    ];
    const send = (more: object = {}) => s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects }, ...more }));
    const first = await send();
    expect(first.Deleted).toEqual([Objects[0]]);
    expect(first.Errors).toMatchObject([1, 2].map((i) => ({ ...Objects[i], Code: "AccessDenied" })));
    const second = await send({ BypassGovernanceRetention: true });
    expect(second.Deleted).toEqual([Objects[0], Objects[1]]);
    expect(second.Errors).toMatchObject([{ ...Objects[2], Code: "AccessDenied" }]);
  });
});

describe("a policy", () => {
  const policy = (asked: string, ...Statement: Record<string, unknown>[]) =>
    s3.send(
      new PutBucketPolicyCommand({
        Bucket: asked,
        Policy: JSON.stringify({ Version: "2012-10-17", Statement }).replaceAll("BUCKET", `arn:aws:s3:::${asked}`),
      }),
    );
  const AWS = `arn:aws:iam::${neighbour.ctx.tenantId}:root`;
  const allow = (...Action: string[]) => ({
    Effect: "Allow",
    Principal: { AWS },
    Action: Action.map((each) => `s3:${each}`),
    Resource: "BUCKET/*",
  });

  it("lets others bypass governance, see locks and set them only where it says so", async () => {
    const own = await bucketWith();
    const fields = { Bucket: own, ObjectLockMode: "GOVERNANCE", ObjectLockRetainUntilDate: inDays(1) };
    const { VersionId } = await put("k", fields);
    const removeAsOther = () =>
      other.send(new DeleteObjectCommand({ Bucket: own, Key: "k", VersionId, BypassGovernanceRetention: true }));
    const headAsOther = () => other.send(new HeadObjectCommand({ Bucket: own, Key: "k" }));
    await policy(own, allow("DeleteObjectVersion", "GetObject"));
    expect(await s3Refusal(removeAsOther())).toEqual(DENIED);
    expect((await headAsOther()).ObjectLockMode).toBeUndefined();
    expect((await s3Refusal(other.send(new GetObjectRetentionCommand({ Bucket: own, Key: "k" })))).code).toBe(
      "AccessDenied",
    );
    await policy(own, allow("DeleteObjectVersion", "GetObject", "GetObjectRetention", "BypassGovernanceRetention"));
    expect((await headAsOther()).ObjectLockMode).toBe("GOVERNANCE");
    await removeAsOther();
  });

  it("has conditions on what the body of a request asks for", async () => {
    const own = await bucketWith();
    await put("k", { Bucket: own });
    const retainAsOther = (Retention: ObjectLockRetention) =>
      other.send(new PutObjectRetentionCommand({ Bucket: own, Key: "k", Retention }));
    const holdAsOther = (Status: "ON" | "OFF") =>
      other.send(new PutObjectLegalHoldCommand({ Bucket: own, Key: "k", LegalHold: { Status } }));
    expect(await s3Refusal(retainAsOther(retained("GOVERNANCE", 1)))).toEqual(DENIED);
    await policy(
      own,
      {
        ...allow("PutObjectRetention"),
        Condition: { NumericLessThanEquals: { "s3:object-lock-remaining-retention-days": "10" } },
      },
      {
        ...allow("PutObjectRetention"),
        Effect: "Deny",
        Condition: { StringNotEquals: { "s3:object-lock-mode": "GOVERNANCE" } },
      },
      { ...allow("PutObjectLegalHold"), Condition: { StringEquals: { "s3:object-lock-legal-hold": "ON" } } },
    );
    expect(await s3Refusal(retainAsOther(retained("GOVERNANCE", 20)))).toEqual(DENIED);
    expect(await s3Refusal(retainAsOther(retained("COMPLIANCE", 5)))).toEqual(DENIED);
    await retainAsOther(retained("GOVERNANCE", 5));
    await holdAsOther("ON");
    expect(await s3Refusal(holdAsOther("OFF"))).toEqual(DENIED);
    const reader = s3Client(server, (await tenant.key({ scopes: ["storage:read"] })).credentials);
    const asReader = reader.send(
      new PutObjectLegalHoldCommand({ Bucket: own, Key: "k", LegalHold: { Status: "OFF" } }),
    );
    expect(await s3Refusal(asReader)).toEqual(DENIED);
  });

  it("limits what the owner does: bypassing governance, and how long a version is retained", async () => {
    const own = await bucketWith();
    const { VersionId } = await put("k", { Bucket: own });
    await policy(
      own,
      { Effect: "Deny", Principal: "*", Action: "s3:BypassGovernanceRetention", Resource: "BUCKET/*" },
      {
        Effect: "Deny",
        Principal: "*",
        Action: "s3:PutObjectRetention",
        Resource: "BUCKET/*",
        Condition: { NumericGreaterThan: { "s3:object-lock-remaining-retention-days": "10" } },
      },
    );
    expect(await s3Refusal(retain("k", retained("GOVERNANCE", 20), { Bucket: own }))).toEqual(DENIED);
    await retain("k", retained("GOVERNANCE", 5), { Bucket: own });
    const bypass = { Bucket: own, BypassGovernanceRetention: true };
    expect(await s3Refusal(retain("k", retained("GOVERNANCE", 1), bypass))).toEqual(DENIED);
    expect(await s3Refusal(remove("k", { ...bypass, VersionId }))).toEqual(DENIED);
  });
});
