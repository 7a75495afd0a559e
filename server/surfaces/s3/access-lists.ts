import { isDeepStrictEqual } from "node:util";
import {
  blocksPublicLists,
  bucketGrants,
  fullControlOf,
  isGroup,
  isPublicList,
  objectAccess,
} from "../../cloud/data/buckets/access-list";
import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";
import type { Grant, ObjectAccess } from "../../cloud/data/objects/object-access";
import type { ObjectExtras } from "../../cloud/data/objects/objects";
import { askedGrants, grantsOf, shownPermission, uriOf } from "./asked-grants";
import { accessDenied } from "./assert-access";
import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { versionIdHeader } from "./object-fields";
import { ownerTag } from "./owner-tag";
import { type BucketCall, type ObjectCall, type S3Call, type S3Operation, seesBucket } from "./s3-call";
import { S3Error } from "./s3-error";
import { tag, tagWith, type Xml, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
/** What an object says that is the bucket's owner's alone, which changes nothing where all objects are that. */
const HARMLESS = ["private", "bucket-owner-full-control"];

export const getBucketAcl = readsBucket("GetBucketAcl", ({ bucket }) => ({
  body: listDocument({ owner: bucket.tenantId, grants: bucketGrants(bucket) }),
}));

export const putBucketAcl = changesBucket("PutBucketAcl", async (call) => {
  const { bucket, caller, request, cloud } = call;
  const owner = bucket.tenantId;
  const acl = await sentGrants(call, { of: "bucket", owner, bucketOwner: owner });
  assertListsAllowed(bucket, isSame(acl, fullControlOf(owner)));
  if (seesBucket(caller, bucket)) return changeBucket(call, { acl });
  if (!caller.actor) throw accessDenied();
  await cloud.accessLists.replaceAsGrantee(bucket, { actor: caller.actor, request: request.meta }, acl);
  return {};
});

export const getObjectAcl: S3Operation<ObjectCall> = {
  name: "GetObjectAcl",
  access: "storage:read",
  run: async (call) => {
    const { version } = await call.cloud.objects.read(call.bucket, choiceOf(call));
    return {
      headers: versionIdHeader(call.bucket, version),
      body: listDocument(objectAccess(call.bucket, version)),
    };
  },
};

export const putObjectAcl: S3Operation<ObjectCall> = {
  name: "PutObjectAcl",
  access: "storage:write",
  run: async (call) => {
    const { cloud, bucket, request } = call;
    assertListsAllowed(bucket, HARMLESS.includes(request.headers.get("x-amz-acl") ?? ""));
    const { version } = await cloud.objects.read(bucket, choiceOf(call));
    const { owner } = objectAccess(bucket, version);
    const grants = await sentGrants(call, { of: "object", owner, bucketOwner: bucket.tenantId });
    if (bucket.objectOwnership === "BucketOwnerEnforced") return { headers: versionIdHeader(bucket, version) };
    await assertStorable(call, bucket, grants);
    const changed = await cloud.objects.setAccess(bucket, choiceOf(call), (found) => ({
      owner: objectAccess(bucket, found).owner,
      grants,
    }));
    return { headers: versionIdHeader(bucket, changed) };
  },
};

const choiceOf = ({ key, gate, request }: ObjectCall) => {
  const versionId = request.query.get("versionId");
  return { key, gate, ...(versionId !== undefined && { versionId }) };
};

/**
 * Who owns a new object, and the list that its headers ask for. An object that its bucket's tenant stores and that asks for
 * nothing has no list of its own. What another tenant stores is its own (as the ownership of the bucket says), and what
 * an anonymous caller stores is the bucket's tenant's; the bytes count for the bucket's tenant in any case.
 */
export async function newAccess(call: BucketCall): Promise<Pick<ObjectExtras, "access">> {
  const { bucket, request, caller } = call;
  const bucketOwner = bucket.tenantId;
  const canned = request.headers.get("x-amz-acl");
  const writer = caller.actor?.tenantId ?? bucketOwner;
  const isGivenAway = bucket.objectOwnership === "BucketOwnerPreferred" && canned === "bucket-owner-full-control";
  const owner = isGivenAway ? bucketOwner : writer;
  const grants = askedGrants(request.headers, { of: "object", owner, bucketOwner });
  assertListsAllowed(bucket, grants === undefined || HARMLESS.includes(canned ?? ""));
  if (bucket.objectOwnership === "BucketOwnerEnforced") return {};
  if (grants) await assertStorable(call, bucket, grants);
  else if (owner === bucketOwner) return {};
  return { access: { owner, grants: grants ?? fullControlOf(owner) } };
}

/** The list that a new bucket is to have; undefined if the request asks for none. */
export const newBucketList = (call: S3Call): Grant[] | undefined => {
  const owner = call.caller.actor?.tenantId ?? "";
  return askedGrants(call.request.headers, { of: "bucket", owner, bucketOwner: owner });
};

/** Whether two lists grant the same, in any order. */
export const isSame = (a: readonly Grant[], b: readonly Grant[]): boolean => {
  const [left, right] = [a, b].map(
    (grants) => new Set(grants.map(({ grantee, permission }) => `${grantee} ${permission}`)),
  );
  return isDeepStrictEqual(left, right);
};

/** Throws `AccessDenied` for a public list where those are blocked, and `InvalidArgument` for an unknown tenant. */
async function assertStorable({ cloud, caller }: S3Call, bucket: BucketSettings, grants: readonly Grant[]) {
  if (isPublicList(grants) && blocksPublicLists(bucket)) {
    throw new S3Error("AccessDenied", "BlockPublicAcls of the bucket forbids lists that grant something to groups.");
  }
  await cloud.accessLists.assertGrantees(grants, [bucket.tenantId, ...(caller.actor ? [caller.actor.tenantId] : [])]);
}

/** Throws `AccessControlListNotSupported` for a list that would have no effect. */
function assertListsAllowed({ objectOwnership }: BucketSettings, isHarmless: boolean): void {
  if (objectOwnership !== "BucketOwnerEnforced" || isHarmless) return;
  throw new S3Error(
    "AccessControlListNotSupported",
    "The bucket has no access lists, because its ownership is BucketOwnerEnforced; set another one first.",
  );
}

/** The list that a request sends, in headers or as a document. */
async function sentGrants(
  call: BucketCall,
  owners: { of: "bucket" | "object"; owner: string; bucketOwner: string },
): Promise<Grant[]> {
  const { headers } = call.request;
  const asked = askedGrants(headers, owners);
  if (!asked) return grantsOf(await readDocument(call, "AccessControlPolicy"), owners.owner);
  if (Number(headers.get("content-length") ?? 0) === 0) return asked;
  throw new S3Error("UnexpectedContent", "Send the access list either in headers or in the body, not in both.");
}

/** Groups come first, as several clients expect. */
function listDocument({ owner, grants }: ObjectAccess): string {
  const shown = grants.toSorted((a, b) => Number(isGroup(b.grantee)) - Number(isGroup(a.grantee)));
  return xmlDocument("AccessControlPolicy", [ownerTag("Owner", owner), tag("AccessControlList", shown.map(grantTag))]);
}

function grantTag({ grantee, permission }: Grant): Xml {
  const [type, content] = isGroup(grantee)
    ? ["Group", [tag("URI", uriOf(grantee) ?? "")]]
    : ["CanonicalUser", [tag("ID", grantee), tag("DisplayName", grantee)]];
  return tag(
    "Grant",
    tagWith("Grantee", `${XSI} xsi:type="${type}"`, content),
    tag("Permission", shownPermission(permission)),
  );
}
