import { bucketGrants, fullControlOf } from "../../cloud/data/buckets/access-list";
import type { Bucket } from "../../cloud/data/buckets/bucket";
import { createBucket as createBucketOperation } from "../../cloud/data/buckets/create-bucket";
import { deleteBucket as deleteBucketOperation } from "../../cloud/data/buckets/delete-bucket";
import { listBuckets as listBucketsOperation } from "../../cloud/data/buckets/list-buckets";
import { S3_REGION } from "../../cloud/data/buckets/s3-endpoint";
import { ServiceError } from "../../kernel/errors";
import { isSame, newBucketList } from "./access-lists";
import { countOf } from "./list-parameters";
import { askedOwnership } from "./object-ownership";
import { ownerTag } from "./owner-tag";
import { readXml, textIn } from "./read-xml";
import { type BucketCall, type S3Call, type S3Operation, seesBucket } from "./s3-call";
import { S3Error } from "./s3-error";
import { optionalTag, tag, xmlDocument } from "./write-xml";
import { readBytes } from "./xml-body";

/** Buckets per request to the operation that lists them. */
const PAGE = 100;
const BUCKETS_MAX = 10_000;

/** Where a person's buckets are; a key has its own. */
export const ownerOf = ({ caller: { actor, owner } }: S3Call): { mode?: string; project?: string } =>
  actor?.kind === "person" && owner ? { mode: owner.mode, project: owner.projectId } : {};

export const listBuckets: S3Operation<S3Call> = {
  name: "ListBuckets",
  access: "storage:read",
  run: async (call) => {
    const { query } = call.request;
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const limit = countOf(query, "max-buckets", { byDefault: BUCKETS_MAX, max: BUCKETS_MAX });
    if (limit === 0) throw new S3Error("InvalidArgument", `max-buckets must be a number from 1 to ${BUCKETS_MAX}.`);
    const all = (await allBuckets(call))
      .filter(({ name }) => name.startsWith(prefix) && name > after)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const shown = all.slice(0, limit);
    const next = all.length > shown.length ? shown.at(-1)?.name : undefined;
    const owner = call.caller.actor?.tenantId ?? "";
    return {
      body: xmlDocument("ListAllMyBucketsResult", [
        ownerTag("Owner", owner),
        tag(
          "Buckets",
          shown.map(({ name, created_at }) =>
            tag("Bucket", tag("Name", name), tag("CreationDate", created_at), tag("BucketRegion", S3_REGION)),
          ),
        ),
        ...optionalTag("Prefix", prefix || undefined),
        ...optionalTag("ContinuationToken", next),
      ]),
    };
  },
};

async function allBuckets(call: S3Call): Promise<Bucket[]> {
  const all: Bucket[] = [];
  let cursor: string | null | undefined;
  do {
    const page: { data: Bucket[]; next_cursor: string | null } = await call.runOperation(listBucketsOperation, {
      limit: PAGE,
      ...ownerOf(call),
      ...(cursor && { cursor }),
    });
    all.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor && all.length < BUCKETS_MAX);
  return all;
}

/** There is no bucket yet, or a foreign one. */
export const createBucket: S3Operation<S3Call> = {
  name: "CreateBucket",
  access: "storage:write",
  run: async (call) => {
    const name = call.request.bucket ?? "";
    const hasLock = asksForLock(call.request.headers);
    const acl = newBucketList(call);
    const ownership = askedOwnership(call.request.headers, acl !== undefined && !isSame(acl, onlyOwner(call)));
    const bytes = await readBytes(withBody(call));
    // Every region that a client names is this one.
    const region = bytes.length > 0 ? textIn(readXml(bytes, "CreateBucketConfiguration"), "LocationConstraint") : "";
    const settings = {
      name,
      ...(acl && { acl }),
      ...(ownership && { object_ownership: ownership }),
      ...(hasLock && { object_lock: {} }),
    };
    try {
      await call.runOperation(createBucketOperation, { ...settings, ...ownerOf(call) });
    } catch (failure) {
      const error = await creationError(call, name, failure);
      const isOwn = error instanceof S3Error && error.code === "BucketAlreadyOwnedByYou";
      if (!isOwn) throw error;
      await assertSameList(call, acl);
      // As S3 does in its first region: what exists stays as it is. Settings that are asked for would be ignored.
      const isRepeated = acl === undefined && !hasLock && (!region || region === S3_REGION);
      if (!isRepeated) throw error;
    }
    return { headers: { location: `/${name}` } };
  },
};

function asksForLock(headers: ReadonlyMap<string, string>): boolean {
  const text = headers.get("x-amz-bucket-object-lock-enabled")?.toLowerCase() ?? "false";
  if (text === "true" || text === "false") return text === "true";
  throw new S3Error("InvalidArgument", "x-amz-bucket-object-lock-enabled must be true or false.");
}

/** Clients send no length with an empty body. */
function withBody(call: S3Call): S3Call {
  const { headers } = call.request;
  if (headers.has("content-length") || headers.has("transfer-encoding")) return call;
  return { ...call, request: { ...call.request, headers: new Map([...headers, ["content-length", "0"]]) } };
}

const onlyOwner = ({ caller }: S3Call) => fullControlOf(caller.actor?.tenantId ?? "");

/** Throws `BucketAlreadyExists` if the bucket has another list than the one that a request would give a new one. */
async function assertSameList(call: S3Call, acl = onlyOwner(call)): Promise<void> {
  const bucket = await call.cloud.bucketsByName.find(call.request.bucket ?? "");
  if (!bucket || isSame(bucketGrants(bucket), acl)) return;
  throw new S3Error(
    "BucketAlreadyExists",
    "You have a bucket with this name and another access list; change that with PutBucketAcl.",
  );
}

async function creationError({ caller, cloud }: S3Call, name: string, failure: unknown): Promise<unknown> {
  if (!(failure instanceof ServiceError)) return failure;
  if (failure.code === "invalid_request" && failure.param === "name") {
    return new S3Error("InvalidBucketName", `The name of the bucket is not valid: ${failure.message}`);
  }
  if (failure.code === "quota_exceeded") return new S3Error("TooManyBuckets", failure.message);
  if (failure.details?.reason !== "name_taken") return failure;
  const bucket = await cloud.bucketsByName.find(name);
  return bucket && seesBucket(caller, bucket)
    ? new S3Error("BucketAlreadyOwnedByYou", "You have a bucket with this name already.")
    : new S3Error("BucketAlreadyExists", "The name is taken in this installation; choose another name.");
}

export const headBucket: S3Operation<BucketCall> = {
  name: "HeadBucket",
  access: "storage:read",
  run: () => Promise.resolve({ headers: { "x-amz-bucket-region": S3_REGION, "content-type": "application/xml" } }),
};

export const deleteBucket: S3Operation<BucketCall> = {
  name: "DeleteBucket",
  access: "storage:write",
  run: async (call) => {
    await call.runOperation(deleteBucketOperation, { bucket: call.bucket.name });
    return { status: 204 };
  },
};

export const getBucketLocation: S3Operation<BucketCall> = {
  name: "GetBucketLocation",
  access: "storage:read",
  // S3 has no text for us-east-1.
  run: () => Promise.resolve({ body: xmlDocument("LocationConstraint") }),
};
