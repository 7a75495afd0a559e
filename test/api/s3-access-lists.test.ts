import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketOwnershipControlsCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetBucketOwnershipControlsCommand,
  GetBucketPolicyStatusCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  type Grant,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ObjectCannedACL,
  type ObjectOwnership,
  PutBucketAclCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { getBucket } from "../../server/cloud/data/buckets/get-bucket";
import { updateBucket } from "../../server/cloud/data/buckets/update-bucket";
import { newId } from "../../server/kernel/ids";
import { TEST_REQUEST } from "../factories/app";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const server = await openForFile(s3Server());
const [tenant, neighbour, third] = [await s3Tenant(server), await s3Tenant(server), await s3Tenant(server)];
const key = await tenant.key();
const s3 = s3Client(server, key.credentials);
const other = s3Client(server, (await neighbour.key()).credentials);
const stranger = s3Client(server, (await third.key()).credentials);
const anonymous = s3Client(server, undefined, {
  signer: { sign: async (request) => request },
  credentials: { accessKeyId: "none", secretAccessKey: "none" },
});
const [ours, theirs] = [tenant.ctx.tenantId, neighbour.ctx.tenantId];
const ALL = "http://acs.amazonaws.com/groups/global/AllUsers";
const AUTHENTICATED = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";
const Key = "a";

let buckets = 0;
async function newBucket(more: Partial<ConstructorParameters<typeof CreateBucketCommand>[0]> = {}) {
  const Bucket = `lists-${++buckets}`;
  await s3.send(new CreateBucketCommand({ Bucket, ...more }));
  return Bucket;
}

const put = (...[client, Bucket, ACL, at = Key]: [S3Client, string, ObjectCannedACL?, string?]) =>
  client.send(new PutObjectCommand({ Bucket, Key: at, Body: "content", ...(ACL && { ACL }) }));
const get = (client: S3Client, Bucket: string, at = Key) => client.send(new GetObjectCommand({ Bucket, Key: at }));
const list = (client: S3Client, Bucket: string) => client.send(new ListObjectsV2Command({ Bucket }));
const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "ok",
    ({ name }: Error) => name,
  );
const grantsIn = ({ Grants = [] }: { Grants?: Grant[] | undefined }) =>
  Grants.map(({ Grantee, Permission }) => `${Grantee?.URI ?? Grantee?.ID} ${Permission}`).sort();
const bucketGrants = async (client: S3Client, Bucket: string) =>
  grantsIn(await client.send(new GetBucketAclCommand({ Bucket })));
const objectGrants = async (client: S3Client, Bucket: string, at = Key) =>
  grantsIn(await client.send(new GetObjectAclCommand({ Bucket, Key: at })));
const cloud = () => ({ ...server.test.app.cloud, actor: tenant.ctx.actor, request: TEST_REQUEST });
const send = (...[method, path, headers, body]: [string, string, Record<string, string>?, string?]) =>
  fetch(`${server.url}/${path}`, {
    method,
    headers: { authorization: `Bearer ${key.bearer}`, ...headers },
    ...(body !== undefined && { body }),
  });
const answerOf = async (response: Response) => [
  response.status,
  /<Code>(.*?)</.exec(await response.text())?.[1] ?? "ok",
];

describe("the canned list", () => {
  it.each<[ObjectCannedACL, string[], Record<"other" | "anonymous", [read: string, list: string, write: string]>]>([
    [
      "private",
      [],
      {
        other: ["AccessDenied", "AccessDenied", "AccessDenied"],
        anonymous: ["AccessDenied", "AccessDenied", "AccessDenied"],
      },
    ],
    ["public-read", [`${ALL} READ`], { other: ["ok", "ok", "AccessDenied"], anonymous: ["ok", "ok", "AccessDenied"] }],
    [
      "public-read-write",
      [`${ALL} READ`, `${ALL} WRITE`],
      { other: ["ok", "ok", "ok"], anonymous: ["ok", "ok", "ok"] },
    ],
    [
      "authenticated-read",
      [`${AUTHENTICATED} READ`],
      { other: ["ok", "ok", "AccessDenied"], anonymous: ["AccessDenied", "AccessDenied", "AccessDenied"] },
    ],
  ])("%s of a bucket and its object lets in whom S3 lets in", async (acl, more, expected) => {
    const Bucket = await newBucket({ ACL: acl as "private" });
    await put(s3, Bucket, acl);
    const all = [...more, `${ours} FULL_CONTROL`].sort();
    expect(await bucketGrants(s3, Bucket)).toEqual(all);
    expect(await objectGrants(s3, Bucket)).toEqual(all);
    for (const [name, client] of Object.entries({ other, anonymous })) {
      const codes = [
        await codeOf(get(client, Bucket)),
        await codeOf(list(client, Bucket)),
        await codeOf(put(client, Bucket, undefined, `by-${name}`)),
      ];
      expect([name, codes]).toEqual([name, expected[name as "other"]]);
      expect(await codeOf(client.send(new GetBucketAclCommand({ Bucket })))).toBe("AccessDenied");
      expect(await codeOf(client.send(new GetObjectAclCommand({ Bucket, Key })))).toBe("AccessDenied");
      expect(await codeOf(client.send(new PutBucketAclCommand({ Bucket, ACL: "private" })))).toBe("AccessDenied");
    }
  });

  it("of a bucket says nothing of its objects, which are private unless they say otherwise", async () => {
    const Bucket = await newBucket({ ACL: "public-read" });
    await put(s3, Bucket);
    await put(s3, Bucket, "public-read", "open");
    expect(await objectGrants(s3, Bucket)).toEqual([`${ours} FULL_CONTROL`]);
    for (const client of [other, anonymous]) {
      expect(await codeOf(get(client, Bucket))).toBe("AccessDenied");
      expect(await codeOf(get(client, Bucket, "open"))).toBe("ok");
      // Who may list a bucket learns that an object does not exist.
      expect(await codeOf(get(client, Bucket, "nothing"))).toBe("NoSuchKey");
      expect((await list(client, Bucket)).Contents?.map((one) => one.Key)).toEqual(["a", "open"]);
      expect(await codeOf(client.send(new HeadBucketCommand({ Bucket })))).toBe("ok");
      expect(await codeOf(client.send(new ListObjectVersionsCommand({ Bucket })))).toBe("ok");
      expect(await codeOf(client.send(new ListMultipartUploadsCommand({ Bucket })))).toBe("ok");
    }
  });

  it("can be given with a copy, an upload in parts and a form, and to a version", async () => {
    const Bucket = await newBucket();
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
    const first = await put(s3, Bucket, "public-read");
    const second = await put(s3, Bucket);
    expect(await codeOf(get(anonymous, Bucket))).toBe("AccessDenied");
    const version = (VersionId: string | undefined) =>
      codeOf(anonymous.send(new GetObjectCommand({ Bucket, Key, VersionId })));
    expect([await version(first.VersionId), await version(second.VersionId)]).toEqual(["ok", "AccessDenied"]);
    const change = (VersionId: string | undefined, ACL: ObjectCannedACL) =>
      s3.send(new PutObjectAclCommand({ Bucket, Key, VersionId, ACL }));
    await change(second.VersionId, "public-read");
    await change(first.VersionId, "private");
    expect([await version(first.VersionId), await version(second.VersionId)]).toEqual(["AccessDenied", "ok"]);

    // A copy does not have the list of its source.
    const copy = { Bucket, CopySource: `${Bucket}/${Key}` };
    await s3.send(new CopyObjectCommand({ ...copy, Key: "closed" }));
    await s3.send(new CopyObjectCommand({ ...copy, Key: "open", ACL: "public-read" }));
    expect([await codeOf(get(anonymous, Bucket, "closed")), await codeOf(get(anonymous, Bucket, "open"))]).toEqual([
      "AccessDenied",
      "ok",
    ]);

    const at = { Bucket, Key: "parts" };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...at, ACL: "public-read" }));
    const { ETag } = await s3.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: "p" }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await s3.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }));
    expect(await codeOf(get(anonymous, Bucket, "parts"))).toBe("ok");
  });

  it.each<[string, string, string, number, string]>([
    ["of a service", "", "aws-exec-read", 501, "NotImplemented"],
    ["for logs", "", "log-delivery-write", 501, "NotImplemented"],
    ["of objects on a bucket", "", "bucket-owner-read", 400, "InvalidArgument"],
    ["that is unknown", "/a", "public-ready", 400, "InvalidArgument"],
    ["named as a property", "/a", "constructor", 400, "InvalidArgument"],
  ])("%s is refused", async (...[, path, acl, status, code]) => {
    const Bucket = await newBucket();
    await put(s3, Bucket);
    expect(await answerOf(await send("PUT", `${Bucket}${path}?acl`, { "x-amz-acl": acl }))).toEqual([status, code]);
  });
});

describe("a grant", () => {
  const granted = (Permission: Grant["Permission"]) => ({
    Owner: { ID: ours },
    Grants: [
      { Grantee: { Type: "CanonicalUser" as const, ID: ours }, Permission: "FULL_CONTROL" as const },
      { Grantee: { Type: "CanonicalUser" as const, ID: theirs }, Permission },
    ],
  });

  it.each<[NonNullable<Grant["Permission"]>, [list: string, write: string, readAcl: string, writeAcl: string]]>([
    ["READ", ["ok", "AccessDenied", "AccessDenied", "AccessDenied"]],
    ["WRITE", ["AccessDenied", "ok", "AccessDenied", "AccessDenied"]],
    ["READ_ACP", ["AccessDenied", "AccessDenied", "ok", "AccessDenied"]],
    ["WRITE_ACP", ["AccessDenied", "AccessDenied", "AccessDenied", "ok"]],
    ["FULL_CONTROL", ["ok", "ok", "ok", "ok"]],
  ])("of %s on a bucket to a tenant is for that tenant alone", async (permission, expected) => {
    const Bucket = await newBucket();
    const policy = granted(permission);
    const codes = async (client: S3Client) => {
      await s3.send(new PutBucketAclCommand({ Bucket, AccessControlPolicy: policy }));
      return [
        await codeOf(list(client, Bucket)),
        await codeOf(put(client, Bucket)),
        await codeOf(client.send(new GetBucketAclCommand({ Bucket }))),
        await codeOf(client.send(new PutBucketAclCommand({ Bucket, AccessControlPolicy: policy }))),
      ];
    };
    expect(await codes(other)).toEqual(expected);
    const nothing = ["AccessDenied", "AccessDenied", "AccessDenied", "AccessDenied"];
    expect(await codes(stranger)).toEqual(nothing);
    expect(await codes(anonymous)).toEqual(nothing);
    expect(await codes(s3)).toEqual(["ok", "ok", "ok", "ok"]);
    // Settings are those of the owner.
    const versioning = new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } });
    expect(await codeOf(other.send(versioning))).toBe("AccessDenied");
    const reader = s3Client(server, (await neighbour.key({ scopes: ["storage:read"] })).credentials);
    expect(await codeOf(put(reader, Bucket))).toBe("AccessDenied");
  });

  it.each<[NonNullable<Grant["Permission"]>, [read: string, readAcl: string, writeAcl: string]]>([
    ["READ", ["ok", "AccessDenied", "AccessDenied"]],
    ["READ_ACP", ["AccessDenied", "ok", "AccessDenied"]],
    ["WRITE_ACP", ["AccessDenied", "AccessDenied", "ok"]],
    ["FULL_CONTROL", ["ok", "ok", "ok"]],
  ])("of %s on an object to a tenant is for that tenant and object alone", async (permission, expected) => {
    const Bucket = await newBucket();
    await put(s3, Bucket);
    await put(s3, Bucket, undefined, "b");
    const policy = granted(permission);
    const change = { Bucket, Key, AccessControlPolicy: policy };
    await s3.send(new PutObjectAclCommand(change));
    const codes = async (client: S3Client) => [
      await codeOf(get(client, Bucket)),
      await codeOf(client.send(new GetObjectAclCommand({ Bucket, Key }))),
      await codeOf(client.send(new PutObjectAclCommand(change))),
    ];
    expect(await codes(other)).toEqual(expected);
    expect(await codes(stranger)).toEqual(["AccessDenied", "AccessDenied", "AccessDenied"]);
    expect(await codes(s3)).toEqual(["ok", "ok", "ok"]);
    // What exists without a grant and what does not exist answer alike.
    for (const at of ["b", "nothing"]) {
      expect(await s3Refusal(get(other, Bucket, at))).toEqual({ code: "AccessDenied", status: 403 });
      const head = other.send(new HeadObjectCommand({ Bucket, Key: at }));
      expect((await s3Refusal(head)).status).toBe(403);
      const acl = other.send(new GetObjectAclCommand({ Bucket, Key: at }));
      expect((await s3Refusal(acl)).code).toBe("AccessDenied");
    }
  });

  it("in headers is stored with the bucket and the object, each as it was sent", async () => {
    const headers = {
      "x-amz-grant-full-control": `id="${ours}"`,
      "x-amz-grant-read": `uri="${AUTHENTICATED}", id=${theirs}`,
      "x-amz-grant-write-acp": `id="${theirs}"`,
    };
    const expected = [`${ours} FULL_CONTROL`, `${theirs} READ`, `${AUTHENTICATED} READ`, `${theirs} WRITE_ACP`].sort();
    expect((await send("PUT", "granted", headers)).status).toBe(200);
    expect(await bucketGrants(s3, "granted")).toEqual(expected);
    expect((await send("PUT", "granted/a", headers, "x")).status).toBe(200);
    expect(await objectGrants(s3, "granted")).toEqual(expected);
    expect((await send("PUT", "granted?acl", { "x-amz-grant-full-control": `id=${ours}` })).status).toBe(200);
    expect(await bucketGrants(s3, "granted")).toEqual([`${ours} FULL_CONTROL`]);
  });

  it("to everyone of the bucket's tenant is for the callers of its project and mode", async () => {
    const Bucket = await newBucket();
    const acl = { "x-amz-grant-full-control": `id=${ours}` };
    expect((await send("PUT", `${Bucket}?acl`, acl)).status).toBe(200);
    expect((await send("PUT", `${Bucket}/a`, acl, "x")).status).toBe(200);
    for (const fields of [{ mode: "test" as const }, { projectId: await tenant.project() }]) {
      const elsewhere = s3Client(server, (await tenant.key(fields)).credentials);
      expect(await codeOf(get(elsewhere, Bucket))).toBe("AccessDenied");
      expect(await codeOf(list(elsewhere, Bucket))).toBe("AccessDenied");
      expect(await codeOf(put(elsewhere, Bucket))).toBe("AccessDenied");
    }
  });

  it.each<[string, Record<string, string>, number, string]>([
    ["an unknown tenant", { "x-amz-grant-read": `id=${newId("ten", 0)}` }, 400, "InvalidArgument"],
    ["what is no id", { "x-amz-grant-read": "id=_foo" }, 400, "InvalidArgument"],
    ["the name of a group as an id", { "x-amz-grant-read": `id="${ALL}"` }, 400, "InvalidArgument"],
    ["an unknown group", { "x-amz-grant-read": 'uri="http://acs.amazonaws.com/groups/none"' }, 400, "InvalidArgument"],
    [
      "the group for logs",
      { "x-amz-grant-read": 'uri="http://acs.amazonaws.com/groups/s3/LogDelivery"' },
      501,
      "NotImplemented",
    ],
    [
      "an address, of whomever",
      { "x-amz-grant-read": 'emailAddress="somebody@example.com"' },
      400,
      "UnresolvableGrantByEmailAddress",
    ],
    ["something else", { "x-amz-grant-read": 'name="x"' }, 400, "InvalidArgument"],
    ["no pair", { "x-amz-grant-read": "everyone" }, 400, "InvalidArgument"],
    [
      "101 grantees",
      { "x-amz-grant-read": Array.from({ length: 101 }, () => `id=${theirs}`).join(",") },
      400,
      "InvalidArgument",
    ],
    ["a tenant besides a canned list", { "x-amz-acl": "private", "x-amz-grant-read": "id=x" }, 400, "InvalidRequest"],
  ])("to %s", async (...[, headers, status, code]) => {
    const Bucket = await newBucket();
    await put(s3, Bucket);
    expect(await answerOf(await send("PUT", `${Bucket}?acl`, headers))).toEqual([status, code]);
    expect(await answerOf(await send("PUT", `${Bucket}/a?acl`, headers))).toEqual([status, code]);
    expect(await answerOf(await send("PUT", `${Bucket}/b`, headers, "x"))).toEqual([status, code]);
    expect((await send("GET", `${Bucket}/b`)).status).toBe(404);
  });

  const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const ownerXml = `<Owner><ID>${ours}</ID></Owner>`;
  const grantXml = (grantee: string, type = "CanonicalUser", permission = "READ") =>
    `<Grant><Grantee ${XSI} xsi:type="${type}">${grantee}</Grantee><Permission>${permission}</Permission></Grant>`;
  it.each<[string, string, number, string]>([
    ["without an owner", `<AccessControlList></AccessControlList>`, 400, "MalformedACLError"],
    ["of another owner", `<Owner><ID>${theirs}</ID></Owner><AccessControlList/>`, 403, "AccessDenied"],
    ["without a list", ownerXml, 400, "MalformedACLError"],
    [
      "with an unknown permission",
      grantXml(`<ID>${theirs}</ID>`, "CanonicalUser", "EVERYTHING"),
      400,
      "MalformedACLError",
    ],
    ["with an unknown type", grantXml(`<ID>${theirs}</ID>`, "Person"), 400, "MalformedACLError"],
    ["with a type that has another element", grantXml(`<ID>${theirs}</ID>`, "Group"), 400, "MalformedACLError"],
    ["with 101 grants", grantXml(`<ID>${theirs}</ID>`).repeat(101), 400, "MalformedACLError"],
    [
      "with an address",
      grantXml("<EmailAddress>a@example.com</EmailAddress>", "AmazonCustomerByEmail"),
      400,
      "UnresolvableGrantByEmailAddress",
    ],
    ["with an unknown tenant", grantXml("<ID>_foo</ID>"), 400, "InvalidArgument"],
    ["with 100 grants", grantXml(`<ID>${theirs}</ID>`).repeat(100), 200, "ok"],
  ])("in a document %s", async (...[, content, status, code]) => {
    const Bucket = await newBucket();
    const inner = content.startsWith("<Grant>")
      ? `${ownerXml}<AccessControlList>${content}</AccessControlList>`
      : content;
    const body = `<AccessControlPolicy>${inner}</AccessControlPolicy>`;
    expect(await answerOf(await send("PUT", `${Bucket}?acl`, {}, body))).toEqual([status, code]);
    const both = await send("PUT", `${Bucket}?acl`, { "x-amz-acl": "private" }, body);
    expect(await answerOf(both)).toEqual([400, "UnexpectedContent"]);
  });

  it("is not needed by the owner to read and set the list, nor to delete", async () => {
    const Bucket = await newBucket();
    await put(s3, Bucket);
    const nobody = { Owner: { ID: ours }, Grants: [] };
    await s3.send(new PutObjectAclCommand({ Bucket, Key, AccessControlPolicy: nobody }));
    await s3.send(new PutBucketAclCommand({ Bucket, AccessControlPolicy: nobody }));
    expect(await bucketGrants(s3, Bucket)).toEqual([]);
    expect(await objectGrants(s3, Bucket)).toEqual([]);
    for (const call of [() => get(s3, Bucket), () => put(s3, Bucket), () => list(s3, Bucket)]) {
      expect(await codeOf(call())).toBe("AccessDenied");
    }
    await s3.send(new PutObjectAclCommand({ Bucket, Key, ACL: "private" }));
    expect(await codeOf(get(s3, Bucket))).toBe("ok");
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    await s3.send(new PutBucketAclCommand({ Bucket, ACL: "private" }));
    expect((await list(s3, Bucket)).KeyCount).toBe(0);
  });
});

describe("an object that another tenant stores", () => {
  const inbox = async () => {
    const Bucket = await newBucket();
    await send("PUT", `${Bucket}?acl`, {
      "x-amz-grant-full-control": `id=${ours}`,
      "x-amz-grant-read": `id=${theirs}`,
      "x-amz-grant-write": `id=${theirs}`,
    });
    return Bucket;
  };
  const owned = (Bucket: string, ObjectOwnership: ObjectOwnership) =>
    s3.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls: { Rules: [{ ObjectOwnership }] } }));

  it("is that tenant's own, while its bytes are the bucket's, whose owner can always delete it", async () => {
    const Bucket = await inbox();
    await put(other, Bucket);
    const { Owner } = await other.send(new GetObjectAclCommand({ Bucket, Key }));
    expect(Owner).toEqual({ ID: theirs, DisplayName: theirs });
    expect(await codeOf(get(s3, Bucket))).toBe("AccessDenied");
    expect(await codeOf(s3.send(new GetObjectAclCommand({ Bucket, Key })))).toBe("AccessDenied");
    expect(await codeOf(s3.send(new PutObjectAclCommand({ Bucket, Key, ACL: "public-read" })))).toBe("AccessDenied");
    const shown = await s3.send(new ListObjectsV2Command({ Bucket, FetchOwner: true }));
    expect(shown.Contents?.map((one) => one.Owner?.ID)).toEqual([theirs]);
    expect((await getBucket.run(cloud(), { bucket: Bucket })).usage).toMatchObject({ objects: 1, bytes: 7 });

    await other.send(new PutObjectAclCommand({ Bucket, Key, ACL: "bucket-owner-read" }));
    expect(await objectGrants(other, Bucket)).toEqual([`${ours} READ`, `${theirs} FULL_CONTROL`].sort());
    expect(await codeOf(get(s3, Bucket))).toBe("ok");
    await other.send(new PutObjectAclCommand({ Bucket, Key, ACL: "bucket-owner-full-control" }));
    expect(await objectGrants(s3, Bucket)).toEqual([`${ours} FULL_CONTROL`, `${theirs} FULL_CONTROL`].sort());
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    expect((await list(s3, Bucket)).KeyCount).toBe(0);
  });

  it("is the bucket's where its ownership says so", async () => {
    const Bucket = await inbox();
    await owned(Bucket, "BucketOwnerPreferred");
    await put(other, Bucket, "bucket-owner-full-control");
    await put(other, Bucket, undefined, "b");
    expect(await objectGrants(s3, Bucket)).toEqual([`${ours} FULL_CONTROL`]);
    expect(await codeOf(get(s3, Bucket, "b"))).toBe("AccessDenied");

    const listed = { code: "InvalidBucketAclWithObjectOwnership", status: 400 };
    expect(await s3Refusal(owned(Bucket, "BucketOwnerEnforced"))).toEqual(listed);
    await s3.send(new PutBucketAclCommand({ Bucket, ACL: "private" }));
    await owned(Bucket, "BucketOwnerEnforced");
    expect(await codeOf(get(s3, Bucket, "b"))).toBe("ok");
    expect(await codeOf(get(other, Bucket, "b"))).toBe("AccessDenied");
    const unsupported = { code: "AccessControlListNotSupported", status: 400 };
    expect(await s3Refusal(put(s3, Bucket, "public-read"))).toEqual(unsupported);
    expect(await s3Refusal(s3.send(new PutBucketAclCommand({ Bucket, ACL: "public-read" })))).toEqual(unsupported);
    expect(await s3Refusal(s3.send(new PutObjectAclCommand({ Bucket, Key, ACL: "public-read" })))).toEqual(unsupported);
    await put(s3, Bucket, "bucket-owner-full-control");
    await s3.send(new DeleteBucketOwnershipControlsCommand({ Bucket }));
    const { OwnershipControls } = await s3.send(new GetBucketOwnershipControlsCommand({ Bucket }));
    expect(OwnershipControls?.Rules).toEqual([{ ObjectOwnership: "ObjectWriter" }]);
    const create = (ACL: "private" | "public-read") =>
      s3.send(new CreateBucketCommand({ Bucket: `${Bucket}-${ACL}`, ACL, ObjectOwnership: "BucketOwnerEnforced" }));
    expect(await s3Refusal(create("public-read"))).toEqual(listed);
    await create("private");
  });

  it("without credentials is the bucket's, and cannot come in parts", async () => {
    const Bucket = await newBucket({ ACL: "public-read-write" });
    await put(anonymous, Bucket);
    expect(await objectGrants(s3, Bucket)).toEqual([`${ours} FULL_CONTROL`]);
    expect(await codeOf(anonymous.send(new CreateMultipartUploadCommand({ Bucket, Key })))).toBe("AccessDenied");
  });

  it("in parts belongs to who began it, who alone continues it besides the bucket's owner", async () => {
    const Bucket = await newBucket({ ACL: "public-read-write" });
    const begin = async (client: S3Client, at: string) =>
      (await client.send(new CreateMultipartUploadCommand({ Bucket, Key: at }))).UploadId;
    const [mine, own] = [await begin(s3, "mine"), await begin(other, "own")];
    const { Uploads } = await other.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(Uploads?.map(({ Key: at, Owner, Initiator }) => [at, Owner?.ID, Initiator?.ID])).toEqual([
      ["mine", ours, ours],
      ["own", theirs, theirs],
    ]);
    const part = (client: S3Client, at: string, UploadId: string | undefined) =>
      client.send(new UploadPartCommand({ Bucket, Key: at, UploadId, PartNumber: 1, Body: "p" }));
    expect(await codeOf(part(other, "mine", mine))).toBe("AccessDenied");
    expect(await codeOf(part(stranger, "own", own))).toBe("AccessDenied");
    expect(await codeOf(part(anonymous, "own", own))).toBe("AccessDenied");
    const { ETag } = await part(other, "own", own);
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await other.send(new CompleteMultipartUploadCommand({ Bucket, Key: "own", UploadId: own, MultipartUpload }));
    expect((await other.send(new GetObjectAclCommand({ Bucket, Key: "own" }))).Owner?.ID).toBe(theirs);
    const abort = (client: S3Client) =>
      client.send(new AbortMultipartUploadCommand({ Bucket, Key: "mine", UploadId: mine }));
    expect(await codeOf(abort(other))).toBe("AccessDenied");
    expect(await codeOf(abort(s3))).toBe("ok");
  });

  it("may be replaced and deleted, but older versions only by the bucket's owner", async () => {
    const Bucket = await inbox();
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
    const { VersionId } = await put(s3, Bucket);
    await put(other, Bucket);
    const remove = (client: S3Client) => client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    expect(await codeOf(remove(other))).toBe("AccessDenied");
    const Objects = [{ Key, VersionId }, { Key: "b" }];
    const { Deleted, Errors } = await other.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Deleted).toMatchObject([{ Key: "b" }]);
    expect(Errors).toMatchObject([{ Key, Code: "AccessDenied" }]);
    const denied = stranger.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(await codeOf(denied)).toBe("AccessDenied");
    expect(await codeOf(other.send(new DeleteObjectCommand({ Bucket, Key })))).toBe("ok");
    expect(await codeOf(remove(s3))).toBe("ok");
  });
});

describe("a list, together with", () => {
  const block = (Bucket: string, on: "BlockPublicAcls" | "IgnorePublicAcls" | "RestrictPublicBuckets") =>
    s3.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: { [on]: true } }));
  const isPublic = async (Bucket: string) =>
    (await s3.send(new GetBucketPolicyStatusCommand({ Bucket }))).PolicyStatus?.IsPublic;

  it("a block of public lists, cannot be public", async () => {
    const Bucket = await newBucket();
    await put(s3, Bucket);
    await block(Bucket, "BlockPublicAcls");
    const denied = { code: "AccessDenied", status: 403 };
    for (const ACL of ["public-read", "public-read-write", "authenticated-read"] as const) {
      expect(await s3Refusal(s3.send(new PutBucketAclCommand({ Bucket, ACL })))).toEqual(denied);
      expect(await s3Refusal(put(s3, Bucket, ACL))).toEqual(denied);
      expect(await s3Refusal(s3.send(new PutObjectAclCommand({ Bucket, Key, ACL })))).toEqual(denied);
      expect(await s3Refusal(s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ACL })))).toEqual(denied);
    }
    expect(await codeOf(put(s3, Bucket, "private"))).toBe("ok");
    expect((await send("PUT", `${Bucket}?acl`, { "x-amz-grant-read": `id=${theirs}` })).status).toBe(200);
  });

  it.each(["IgnorePublicAcls", "RestrictPublicBuckets"] as const)("%s, has no effect for groups", async (on) => {
    const Bucket = await newBucket({ ACL: "public-read" });
    await put(s3, Bucket, "public-read");
    expect(await isPublic(Bucket)).toBe(true);
    await block(Bucket, on);
    expect(await isPublic(Bucket)).toBe(false);
    for (const client of [other, anonymous]) {
      expect(await codeOf(get(client, Bucket))).toBe("AccessDenied");
      expect(await codeOf(list(client, Bucket))).toBe("AccessDenied");
    }
    expect(await codeOf(get(s3, Bucket))).toBe("ok");
    await s3.send(new PutObjectAclCommand({ Bucket, Key, AccessControlPolicy: readFor(theirs) }));
    expect(await codeOf(get(other, Bucket))).toBe("ok");
  });

  const readFor = (ID: string) => ({
    Owner: { ID: ours },
    Grants: [{ Grantee: { Type: "CanonicalUser" as const, ID }, Permission: "READ" as const }],
  });

  it("a policy, gives less where that denies and more where that allows", async () => {
    const Bucket = await newBucket({ ACL: "public-read" });
    await put(s3, Bucket, "public-read");
    await put(s3, Bucket, "private", "b");
    const statement = (Effect: string, Action: string, Resource: string) => ({
      Effect,
      Principal: "*",
      Action,
      Resource,
    });
    const arn = `arn:aws:s3:::${Bucket}`;
    const Statement = [
      statement("Deny", "s3:ListBucket", arn),
      statement("Deny", "s3:GetObject", `${arn}/a`),
      statement("Allow", "s3:GetObject", `${arn}/b`),
    ];
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
    await s3.send(new PutBucketPolicyCommand({ Bucket, Policy }));
    expect([
      await codeOf(list(anonymous, Bucket)),
      await codeOf(get(anonymous, Bucket)),
      await codeOf(get(anonymous, Bucket, "b")),
    ]).toEqual(["AccessDenied", "AccessDenied", "ok"]);
  });

  it("public_read, which it replaces, and which decides for objects without a list of their own", async () => {
    const Bucket = await newBucket();
    await put(s3, Bucket);
    await put(s3, Bucket, "private", "closed");
    await put(s3, Bucket, "public-read", "open");
    const read = async () => [
      await codeOf(get(anonymous, Bucket)),
      await codeOf(get(anonymous, Bucket, "closed")),
      await codeOf(get(anonymous, Bucket, "open")),
      await codeOf(list(anonymous, Bucket)),
    ];
    expect(await read()).toEqual(["AccessDenied", "AccessDenied", "ok", "AccessDenied"]);
    const on = await updateBucket.run(cloud(), { bucket: Bucket, public_read: true });
    expect(on.acl).toEqual([
      { grantee: ours, permission: "full_control" },
      { grantee: "all_users", permission: "read" },
    ]);
    expect(await read()).toEqual(["ok", "AccessDenied", "ok", "AccessDenied"]);
    expect(await objectGrants(s3, Bucket)).toEqual([`${ALL} READ`, `${ours} FULL_CONTROL`].sort());
    await s3.send(new PutBucketAclCommand({ Bucket, ACL: "public-read" }));
    expect((await getBucket.run(cloud(), { bucket: Bucket })).public_read).toBe(false);
    expect(await read()).toEqual(["AccessDenied", "AccessDenied", "ok", "ok"]);
    await updateBucket.run(cloud(), { bucket: Bucket, public_read: true });
    await updateBucket.run(cloud(), { bucket: Bucket, public_read: false });
    expect(await bucketGrants(s3, Bucket)).toEqual([`${ours} FULL_CONTROL`]);
    expect(await read()).toEqual(["AccessDenied", "AccessDenied", "ok", "AccessDenied"]);
  });

  it("the REST API, is set and shown there, with the same checks", async () => {
    const Bucket = await newBucket();
    const acl = [
      { grantee: ours, permission: "full_control" as const },
      { grantee: theirs, permission: "read" as const },
    ];
    expect((await updateBucket.run(cloud(), { bucket: Bucket, acl })).acl).toEqual(acl);
    expect(await codeOf(list(other, Bucket))).toBe("ok");
    const unknown = updateBucket.run(cloud(), { bucket: Bucket, acl: [{ grantee: "ten_x", permission: "read" }] });
    await expect(unknown).rejects.toMatchObject({ code: "invalid_request", param: "acl" });
  });

  it("another tenant that replaced it, is in the audit log of the bucket's tenant", async () => {
    const Bucket = await newBucket();
    await send("PUT", `${Bucket}?acl`, { "x-amz-grant-write-acp": `id=${theirs}` });
    const acl = { Owner: { ID: ours }, Grants: readFor(theirs).Grants };
    await other.send(new PutBucketAclCommand({ Bucket, AccessControlPolicy: acl }));
    expect(await bucketGrants(s3, Bucket)).toEqual([`${theirs} READ`]);
    const [entry] = await tenant.ctx.db.auditEntry.findMany({
      where: { tenantId: ours, action: "bucket.updated" },
      orderBy: { sequence: "desc" },
      take: 1,
    });
    expect(entry).toMatchObject({ actor: { type: "visitor" }, details: { by_tenant: theirs } });
    const again = new PutBucketAclCommand({ Bucket, AccessControlPolicy: acl });
    expect(await codeOf(other.send(again))).toBe("AccessDenied");
  });
});
