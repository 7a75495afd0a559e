import { isUtf8 } from "node:buffer";
import { publicAccessBlockOf } from "../../cloud/data/buckets/bucket";
import { isPublicBucket } from "../../cloud/data/buckets/bucket-access";
import { updateBucket } from "../../cloud/data/buckets/update-bucket";
import { POLICY_BYTES_MAX } from "../../guard/bucket-policy/read-policy";
import { textIn } from "./read-xml";
import type { BucketCall, S3Operation, S3Result } from "./s3-call";
import { S3Error } from "./s3-error";
import { tag, xmlDocument } from "./write-xml";
import { readBytes, readDocument } from "./xml-body";

const read = (name: string, run: (call: BucketCall) => S3Result): S3Operation<BucketCall> => ({
  name,
  access: "storage:read",
  run: async (call) => run(call),
});
const write = (name: string, run: S3Operation<BucketCall>["run"]): S3Operation<BucketCall> => ({
  name,
  access: "storage:write",
  run,
});

async function change(call: BucketCall, settings: Record<string, unknown>): Promise<S3Result> {
  await call.runOperation(updateBucket, { bucket: call.bucket.name, ...settings });
  return { status: 204 };
}

const getBucketPolicy = read("GetBucketPolicy", ({ bucket }) => {
  if (bucket.policy === null) throw new S3Error("NoSuchBucketPolicy", "The bucket has no policy.");
  return { headers: { "content-type": "application/json" }, body: bucket.policy };
});

const putBucketPolicy = write("PutBucketPolicy", async (call) => {
  const bytes = await readBytes(call);
  if (bytes.length > POLICY_BYTES_MAX || !isUtf8(bytes)) {
    throw new S3Error("MalformedPolicy", `A policy is JSON in UTF-8 of at most ${POLICY_BYTES_MAX} bytes.`);
  }
  return change(call, { policy: bytes.toString("utf8") });
});

const deleteBucketPolicy = write("DeleteBucketPolicy", (call) => change(call, { policy: null }));

const getBucketPolicyStatus = read("GetBucketPolicyStatus", ({ bucket }) => ({
  body: xmlDocument("PolicyStatus", tag("IsPublic", isPublicBucket(bucket))),
}));

/** The elements of a configuration, and their names in the settings of a bucket. */
const BLOCKS = {
  BlockPublicAcls: "block_public_acls",
  IgnorePublicAcls: "ignore_public_acls",
  BlockPublicPolicy: "block_public_policy",
  RestrictPublicBuckets: "restrict_public_buckets",
} as const;

const getPublicAccessBlock = read("GetPublicAccessBlock", ({ bucket }) => {
  const block = publicAccessBlockOf(bucket);
  if (!block) {
    throw new S3Error("NoSuchPublicAccessBlockConfiguration", "Nothing blocks public access to the bucket.");
  }
  const tags = Object.entries(BLOCKS).map(([element, name]) => tag(element, block[name]));
  return { body: xmlDocument("PublicAccessBlockConfiguration", tags) };
});

const putPublicAccessBlock = write("PutPublicAccessBlock", async (call) => {
  const document = await readDocument(call, "PublicAccessBlockConfiguration");
  const block = Object.entries(BLOCKS).map(([element, name]) => {
    const text = textIn(document, element)?.toLowerCase() ?? "false";
    if (text !== "true" && text !== "false") throw new S3Error("MalformedXML", `${element} must be true or false.`);
    return [name, text === "true"];
  });
  return { ...(await change(call, { public_access_block: Object.fromEntries(block) })), status: 200 };
});

const deletePublicAccessBlock = write("DeletePublicAccessBlock", (call) => change(call, { public_access_block: null }));

/** Who may use a bucket, by `METHOD ?sub-resource`. */
export const POLICY_OPERATIONS: Readonly<Record<string, S3Operation<BucketCall>>> = {
  "GET ?policy": getBucketPolicy,
  "PUT ?policy": putBucketPolicy,
  "DELETE ?policy": deleteBucketPolicy,
  "GET ?policyStatus": getBucketPolicyStatus,
  "GET ?publicAccessBlock": getPublicAccessBlock,
  "PUT ?publicAccessBlock": putPublicAccessBlock,
  "DELETE ?publicAccessBlock": deletePublicAccessBlock,
};
