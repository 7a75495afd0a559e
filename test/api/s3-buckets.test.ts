import { request } from "node:http";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketCorsCommand,
  DeleteBucketLifecycleCommand,
  GetBucketAclCommand,
  GetBucketAnalyticsConfigurationCommand,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLocationCommand,
  GetBucketPolicyStatusCommand,
  GetBucketVersioningCommand,
  GetObjectAclCommand,
  GetObjectTaggingCommand,
  GetObjectTorrentCommand,
  HeadBucketCommand,
  PutBucketAclCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketLoggingCommand,
  PutBucketRequestPaymentCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Tag = { Key: "a", Value: "b" };
const Bucket = "settings";
const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const key = await tenant.key();
const s3 = s3Client(server, key.credentials);
const bearer = key.bearer;
await s3.send(new CreateBucketCommand({ Bucket }));
await s3.send(new PutObjectCommand({ Bucket, Key: "page", Body: "hello" }));

describe("a bucket", () => {
  it("is created with any location, exists, and is deleted when it is empty", async () => {
    const CreateBucketConfiguration = { LocationConstraint: "eu-central-1" as const };
    await s3.send(new CreateBucketCommand({ Bucket: "short-lived", CreateBucketConfiguration }));
    await s3.send(new HeadBucketCommand({ Bucket: "short-lived" }));
    await s3.send(new DeleteBucketCommand({ Bucket: "short-lived" }));
    expect((await s3Refusal(s3.send(new HeadBucketCommand({ Bucket: "short-lived" })))).status).toBe(404);
    expect(await s3Refusal(s3.send(new DeleteBucketCommand({ Bucket })))).toEqual({
      code: "BucketNotEmpty",
      status: 409,
    });
    const { LocationConstraint } = await s3.send(new GetBucketLocationCommand({ Bucket }));
    expect(LocationConstraint ?? "").toBe("");
  });

  it.each(["ab", "Upper", "under_score", "-a-b-", "192.168.0.1", "a..b", "x".repeat(64), "default-mine"])(
    "cannot have the name %s",
    async (name) => {
      const headers = { authorization: `Bearer ${bearer}` };
      const response = await fetch(`${server.url}/${name}`, { method: "PUT", headers });
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining("<Code>InvalidBucketName<"),
      ]);
    },
  );

  it("has versioning once that was set", async () => {
    const read = async () => (await s3.send(new GetBucketVersioningCommand({ Bucket }))).Status;
    expect(await read()).toBeUndefined();
    for (const Status of ["Enabled", "Suspended"] as const) {
      await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
      expect(await read()).toBe(Status);
    }
    const wrong = new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Off" as "Enabled" } });
    expect((await s3Refusal(s3.send(wrong))).code).toBe("MalformedXML");
  });

  it("has lifecycle rules as they were set", async () => {
    const read = () => s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    expect((await s3Refusal(read())).code).toBe("NoSuchLifecycleConfiguration");
    const Rules = [
      { ID: "tidy", Status: "Enabled", Filter: { Prefix: "logs/" }, Expiration: { Days: 30 } },
      {
        ID: "old",
        Status: "Disabled",
        Filter: { Prefix: "" },
        NoncurrentVersionExpiration: { NoncurrentDays: 7 },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
    ] as const;
    const put = (rules: object) =>
      s3.send(
        new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: rules as never } }),
      );
    await put(Rules);
    expect((await read()).Rules).toEqual(Rules);
    const old = [{ ID: "old", Prefix: "a/", Status: "Enabled", Expiration: { Days: 1 } }];
    await put(old);
    expect((await read()).Rules).toEqual(old);
    const Transitions = [
      { Days: 1, StorageClass: "STANDARD_IA" },
      { Days: 9, StorageClass: "GLACIER" },
    ];
    await put([{ ...Rules[0], Transitions: Transitions.toReversed() }]);
    expect((await read()).Rules).toEqual([{ ...Rules[0], Transitions }]);
    const tags = [
      { Key: "team", Value: "growth " },
      { Key: "b", Value: "" },
    ];
    const Expiration = { Days: 30 };
    const all = [
      { Filter: { Tag: tags[0] }, Expiration: { Date: new Date("2031-01-31T00:00:00Z") } },
      {
        Filter: { ObjectSizeGreaterThan: 0 },
        Transitions: [{ Date: new Date("2031-01-31"), StorageClass: "GLACIER" }],
      },
      { Filter: { ObjectSizeLessThan: 500 }, Expiration },
      { Filter: { And: { Prefix: "a/", Tags: tags, ObjectSizeGreaterThan: 1, ObjectSizeLessThan: 9 } }, Expiration },
      { Filter: { Prefix: "" }, Expiration: { ExpiredObjectDeleteMarker: true } },
      {
        Filter: { Prefix: "b/" },
        Transitions: [{ Days: 0, StorageClass: "GLACIER_IR" }],
        NoncurrentVersionExpiration: { NoncurrentDays: 9, NewerNoncurrentVersions: 5 },
        NoncurrentVersionTransitions: [{ NoncurrentDays: 1, NewerNoncurrentVersions: 2, StorageClass: "GLACIER" }],
      },
    ].map((rule, at) => ({ ID: `rule ${at}`, Status: "Enabled", ...rule }));
    await put(all);
    expect((await read()).Rules).toEqual(all);
    const unnamed = { Status: "Enabled", Filter: {}, Expiration };
    await put([unnamed, { ...unnamed, ID: "rule-1" }]);
    expect((await read()).Rules?.map(({ ID }) => ID)).toEqual(["rule-2", "rule-1"]);
    expect((await s3Refusal(put([{ ...Rules[0], Expiration: { Days: 0 } }]))).status).toBe(400);
    await s3.send(new DeleteBucketLifecycleCommand({ Bucket }));
    expect((await s3Refusal(read())).status).toBe(404);
  });

  it.each([
    ["MalformedXML", { Expiration: { Days: 1, Date: new Date("2031-01-31") } }],
    ["MalformedXML", { Expiration: { Days: 1, ExpiredObjectDeleteMarker: true } }],
    ["MalformedXML", { Filter: { Prefix: "a", ObjectSizeLessThan: 5 }, Expiration: { Days: 1 } }],
    ["MalformedXML", { Status: "enabled", Expiration: { Days: 1 } }],
    ["MalformedXML", { Prefix: "a", Filter: { Prefix: "a" }, Expiration: { Days: 1 } }],
    ["InvalidRequest", {}],
    ["InvalidRequest", { Filter: { Tag }, Expiration: { ExpiredObjectDeleteMarker: true } }],
    ["InvalidRequest", { Filter: { Tag }, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }],
    [
      "InvalidRequest",
      { Filter: { And: { ObjectSizeGreaterThan: 9, ObjectSizeLessThan: 9 } }, Expiration: { Days: 1 } },
    ],
    [
      "InvalidRequest",
      { Expiration: { Days: 9 }, Transitions: [{ Date: new Date("2031-01-31"), StorageClass: "GLACIER" }] },
    ],
    ["InvalidArgument", { Expiration: { Date: new Date("2031-01-31T10:00:00Z") } }],
    ["InvalidArgument", { Expiration: { Days: -1 } }],
    ["InvalidArgument", { Expiration: { Days: 1 }, Transitions: [{ Days: 1, StorageClass: "GLACIER" }] }],
    ["InvalidArgument", { NoncurrentVersionExpiration: { NoncurrentDays: 1, NewerNoncurrentVersions: 101 } }],
    ["InvalidStorageClass", { Transitions: [{ Days: 1, StorageClass: "FROZEN" }] }],
  ])("refuses with %s the lifecycle rule %j", async (code, fields) => {
    const rule = { ID: "a", Status: "Enabled", ...("Filter" in fields ? {} : { Filter: { Prefix: "" } }), ...fields };
    const Rules = [rule] as never;
    const refused = s3Refusal(
      s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } })),
    );
    expect(await refused).toMatchObject({ code, status: 400 });
  });

  it("refuses two lifecycle rules with one id", async () => {
    const rule = { ID: "a", Status: "Enabled" as const, Filter: { Prefix: "" }, Expiration: { Days: 1 } };
    const two = { Bucket, LifecycleConfiguration: { Rules: [rule, rule] } };
    expect((await s3Refusal(s3.send(new PutBucketLifecycleConfigurationCommand(two)))).code).toBe("InvalidArgument");
  });

  it("is private or public-read", async () => {
    const shown = async () => {
      const { Grants } = await s3.send(new GetBucketAclCommand({ Bucket }));
      const { PolicyStatus } = await s3.send(new GetBucketPolicyStatusCommand({ Bucket }));
      return [Grants?.map(({ Permission, Grantee }) => [Permission, Grantee?.Type]), PolicyStatus?.IsPublic];
    };
    expect(await shown()).toEqual([[["FULL_CONTROL", "CanonicalUser"]], false]);
    await s3.send(new PutBucketAclCommand({ Bucket, ACL: "public-read" }));
    expect(await shown()).toEqual([
      [
        ["READ", "Group"],
        ["FULL_CONTROL", "CanonicalUser"],
      ],
      true,
    ]);
    const status = await fetch(`${server.url}/${Bucket}?policyStatus`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(await status.text()).toContain("<IsPublic>true</IsPublic>");
    const { Owner, Grants } = await s3.send(new GetBucketAclCommand({ Bucket }));
    expect(Owner).toEqual({ ID: tenant.ctx.tenantId, DisplayName: tenant.ctx.tenantId });
    await s3.send(new PutBucketAclCommand({ Bucket, ACL: "private" }));
    expect((await shown())[1]).toBe(false);
    const list = (grants: typeof Grants) =>
      new PutBucketAclCommand({ Bucket, AccessControlPolicy: { Owner, Grants: grants } });
    await s3.send(list(Grants));
    expect((await shown())[1]).toBe(true);
    await s3.send(list(Grants?.slice(1)));
    expect((await shown())[1]).toBe(false);
  });

  it.each<[string, number, string]>([
    ["accelerate", 200, "AccelerateConfiguration"],
    ["logging", 200, "BucketLoggingStatus"],
    ["notification", 200, "NotificationConfiguration"],
    ["ownershipControls", 200, "ObjectWriter"],
    ["replication", 404, "ReplicationConfigurationNotFoundError"],
    ["requestPayment", 200, "BucketOwner"],
    ["website", 404, "NoSuchWebsiteConfiguration"],
  ])("has nothing under ?%s, says so as S3 does, and cannot get it", async (resource, status, text) => {
    const headers = { authorization: `Bearer ${bearer}` };
    const response = await fetch(`${server.url}/${Bucket}?${resource}`, { headers });
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
    const put = await fetch(`${server.url}/${Bucket}?${resource}`, { method: "PUT", headers, body: "<A/>" });
    const isFixed = ["logging", "ownershipControls", "requestPayment"].includes(resource);
    const [refused, code] = isFixed ? [400, "MalformedXML"] : [501, "NotImplemented"];
    expect([put.status, await put.text()]).toEqual([refused, expect.stringContaining(`<Code>${code}<`)]);
  });

  it("has the payer that every bucket has, and no other", async () => {
    const paid = (Payer: "BucketOwner" | "Requester") =>
      s3.send(new PutBucketRequestPaymentCommand({ Bucket, RequestPaymentConfiguration: { Payer } }));
    await paid("BucketOwner");
    const logged = (BucketLoggingStatus: object) =>
      s3.send(new PutBucketLoggingCommand({ Bucket, BucketLoggingStatus }));
    await logged({});
    const target = { LoggingEnabled: { TargetBucket: Bucket, TargetPrefix: "logs/" } };
    for (const call of [paid("Requester"), logged(target)]) {
      expect(await s3Refusal(call)).toEqual({ code: "NotImplemented", status: 501 });
    }
    const unknown = new PutBucketAclCommand({ Bucket, ACL: "public-ready" as "private" });
    expect(await s3Refusal(s3.send(unknown))).toEqual({ code: "InvalidArgument", status: 400 });
  });

  it.each([
    new GetBucketAnalyticsConfigurationCommand({ Bucket, Id: "a" }),
    new GetObjectTorrentCommand({ Bucket, Key: "page" }),
  ])("has no sub-resource that svc does not know (%#)", async (command) => {
    expect(await s3Refusal(s3.send(command as GetObjectTorrentCommand))).toEqual({
      code: "NotImplemented",
      status: 501,
    });
  });

  it("has objects without tags and lists of their own", async () => {
    const object = { Bucket, Key: "page" };
    expect((await s3.send(new GetObjectTaggingCommand(object))).TagSet).toEqual([]);
    expect((await s3.send(new GetObjectAclCommand(object))).Grants).toMatchObject([{ Permission: "FULL_CONTROL" }]);
    for (const command of [GetObjectTaggingCommand, GetObjectAclCommand]) {
      expect((await s3Refusal(s3.send(new command({ Bucket, Key: "nothing" }) as GetObjectAclCommand))).code).toBe(
        "NoSuchKey",
      );
    }
  });

  it.each<[string, string, string, number]>([
    ["PATCH", "settings/page", "MethodNotAllowed", 405],
    ["POST", "", "MethodNotAllowed", 405],
    ["POST", "settings", "RequestIsNotMultiPartContent", 400],
    ["POST", "settings/page", "MethodNotAllowed", 405],
    ["GET", "sett!ngs/page", "InvalidBucketName", 400],
    ["GET", "settings/page?versionId=", "InvalidArgument", 400],
    ["GET", "?max-buckets=0", "InvalidArgument", 400],
    ["GET", "settings/%ff", "InvalidURI", 400],
    ["GET", "settings/a%00b", "InvalidURI", 400],
    ["GET", "settings?prefix=%zz", "InvalidURI", 400],
    ["GET", "settings?list-type=3", "InvalidArgument", 400],
  ])("%s /%s is %s", async (...[method, path, code, status]) => {
    const response = await fetch(`${server.url}/${path}`, { method, headers: { authorization: `Bearer ${bearer}` } });
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.stringContaining(`<Code>${code}</Code>`)]);
    expect(text).toContain(`<RequestId>${response.headers.get("x-amz-request-id")}</RequestId>`);
  });
});

describe("CORS", () => {
  const rules = [
    {
      AllowedOrigins: ["https://app.example", "https://*.apps.example"],
      AllowedMethods: ["GET", "PUT"],
      AllowedHeaders: ["content-type", "x-amz-*"],
      ExposeHeaders: ["ETag"],
      MaxAgeSeconds: 600,
    },
    { AllowedOrigins: ["*"], AllowedMethods: ["HEAD"] },
  ];
  const preflight = (origin: string, method: string, headers?: string) =>
    fetch(`${server.url}/${Bucket}/page`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        ...(headers && { "access-control-request-headers": headers }),
      },
    });
  beforeAll(() => s3.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: rules } })));

  it("has the rules that were set, until they are deleted", async () => {
    expect((await s3.send(new GetBucketCorsCommand({ Bucket }))).CORSRules).toEqual(rules);
    await s3.send(new CreateBucketCommand({ Bucket: "no-rules" }));
    const read = () => s3.send(new GetBucketCorsCommand({ Bucket: "no-rules" }));
    expect((await s3Refusal(read())).code).toBe("NoSuchCORSConfiguration");
    await s3.send(new PutBucketCorsCommand({ Bucket: "no-rules", CORSConfiguration: { CORSRules: rules } }));
    await s3.send(new DeleteBucketCorsCommand({ Bucket: "no-rules" }));
    expect((await s3Refusal(read())).status).toBe(404);
    const wrong = [{ AllowedOrigins: ["*"], AllowedMethods: ["TRACE"] }];
    const put = new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: wrong } });
    expect((await s3Refusal(s3.send(put))).status).toBe(400);
  });

  it.each<[string, string, string | undefined, string | null]>([
    ["https://app.example", "PUT", "Content-Type, X-Amz-Date", "https://app.example"],
    ["https://a.apps.example", "GET", undefined, "https://a.apps.example"],
    ["https://any.example", "HEAD", undefined, "*"],
    ["https://app.example", "DELETE", undefined, null],
    ["https://app.example", "PUT", "x-other", null],
    ["https://app.example.evil.example", "PUT", undefined, null],
    ["https://apps.example", "GET", undefined, null],
    ["null", "GET", undefined, null],
  ])("allows the origin %s the method %s with %s: %s", async (...[origin, method, headers, expected]) => {
    const response = await preflight(origin, method, headers);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      expected ? 200 : 403,
      expected,
    ]);
    expect(response.headers.get("vary")).toContain("Origin");
    if (headers && expected) {
      expect(response.headers.get("access-control-allow-headers")).toBe(headers.toLowerCase());
      expect(response.headers.get("access-control-max-age")).toBe("600");
    }
  });

  it("shows itself in responses and errors to the origins of a rule, and always in Vary", async () => {
    const load = (path: string, origin?: string) =>
      fetch(`${server.url}/${Bucket}/${path}`, {
        headers: { authorization: `Bearer ${bearer}`, ...(origin && { origin }) },
      });
    for (const [path, status] of [
      ["page", 200],
      ["missing", 404],
    ] as const) {
      const response = await load(path, "https://app.example");
      expect([
        response.status,
        response.headers.get("access-control-allow-origin"),
        response.headers.get("access-control-expose-headers"),
      ]).toEqual([status, "https://app.example", "ETag"]);
    }
    for (const origin of ["https://other.example", undefined]) {
      const response = await load("page", origin);
      expect([response.headers.get("access-control-allow-origin"), response.headers.get("vary")]).toEqual([
        null,
        "Origin",
      ]);
    }
  });
});

describe("the host of a bucket", () => {
  it("has the bucket's objects at its root, and the S3 host all buckets", async () => {
    const load = (host: string, path: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = { host, authorization: `Bearer ${bearer}` };
        request({ host: "127.0.0.1", port: server.port, path, headers }, async (response) => {
          let text = "";
          for await (const chunk of response) text += chunk;
          resolve(`${response.statusCode} ${text}`);
        })
          .on("error", reject)
          .end();
      });
    expect(await load("settings.s3.test", "/page")).toBe("200 hello");
    expect(await load(`settings.s3.test:${server.port}`, "/page")).toBe("200 hello");
    expect(await load("s3.test", "/settings/page")).toBe("200 hello");
    expect(await load("settings.s3.test", "/?list-type=2")).toContain("<Key>page</Key>");
    expect(await load("other.s3.test", "/page")).toContain("NoSuchBucket");
    expect(await load("settings.s3.evil", "/page")).toContain('"param":"host"');
  });
});
