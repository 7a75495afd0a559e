import { changeBucket, changesBucket } from "./bucket-setting";
import { cannedAcl } from "./buckets";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import type { BucketCall, ObjectCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { readDocument } from "./xml-body";

export const ALL_USERS = "http://acs.amazonaws.com/groups/global/AllUsers";

type Acl = "private" | "public-read";

export const putBucketAcl = changesBucket("PutBucketAcl", async (call) => {
  const acl = cannedAcl(call.request.headers) ?? (await listedAcl(call));
  return changeBucket(call, { public_read: acl === "public-read" });
});

/** An object has the access of its bucket: setting that again changes nothing, and another one is refused. */
export const putObjectAcl: S3Operation<ObjectCall> = {
  name: "PutObjectAcl",
  access: "storage:write",
  run: async (call) => {
    const { request, cloud, bucket, key } = call;
    const canned = request.headers.get("x-amz-acl");
    const acl = canned === "bucket-owner-full-control" ? "private" : (canned ?? (await listedAcl(call)));
    const versionId = request.query.get("versionId");
    await cloud.objects.read(bucket, { key, ...(versionId !== undefined && { versionId }) });
    if (acl === (bucket.publicRead ? "public-read" : "private")) return {};
    throw new S3Error(
      "AccessControlListNotSupported",
      "Objects have the access of their bucket; make the bucket public-read or private instead.",
    );
  },
};

/** The access that a document grants: everything to the owner, and reading to everyone or to no one else. */
async function listedAcl(call: BucketCall): Promise<Acl> {
  const document = await readDocument(call, "AccessControlPolicy");
  const [list] = childrenOf(document, "AccessControlList");
  const grants = list ? childrenOf(list, "Grant") : [];
  const [owned, ...others] = grants.toSorted((a) => (granteeOf(a, "URI") === undefined ? -1 : 1));
  const isOwned = owned && granteeOf(owned, "ID") === call.bucket.tenantId && isGrant(owned, "FULL_CONTROL");
  if (isOwned && others.length === 0) return "private";
  const [all, ...further] = others;
  if (isOwned && all && further.length === 0 && granteeOf(all, "URI") === ALL_USERS && isGrant(all, "READ")) {
    return "public-read";
  }
  throw new S3Error(
    "NotImplemented",
    "An access control list can grant FULL_CONTROL to the owner, and READ to all users; use x-amz-acl: private or public-read.",
  );
}

const granteeOf = (grant: XmlElement, name: "ID" | "URI"): string | undefined => {
  const [grantee] = childrenOf(grant, "Grantee");
  return grantee && textIn(grantee, name);
};

const isGrant = (grant: XmlElement, permission: string): boolean => textIn(grant, "Permission") === permission;
