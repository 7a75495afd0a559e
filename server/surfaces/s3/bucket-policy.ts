import { isUtf8 } from "node:buffer";
import { publicAccessBlockOf } from "../../cloud/data/buckets/bucket";
import { isPublicBucket } from "../../cloud/data/buckets/bucket-access";
import { POLICY_BYTES_MAX } from "../../guard/bucket-policy/read-policy";
import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { textIn } from "./read-xml";
import type { BucketCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { tag, xmlDocument } from "./write-xml";
import { readBytes, readDocument } from "./xml-body";

const getBucketPolicy = readsBucket("GetBucketPolicy", ({ bucket }) => {
  if (bucket.policy === null) throw new S3Error("NoSuchBucketPolicy", "The bucket has no policy.");
  return { headers: { "content-type": "application/json" }, body: bucket.policy };
});

const putBucketPolicy = changesBucket("PutBucketPolicy", async (call) => {
  const bytes = await readBytes(call);
  if (bytes.length > POLICY_BYTES_MAX || !isUtf8(bytes)) {
    throw new S3Error("MalformedPolicy", `A policy is JSON in UTF-8 of at most ${POLICY_BYTES_MAX} bytes.`);
  }
  return changeBucket(call, { policy: bytes.toString("utf8") }, 204);
});

const deleteBucketPolicy = changesBucket("DeleteBucketPolicy", (call) => changeBucket(call, { policy: null }, 204));

const getBucketPolicyStatus = readsBucket("GetBucketPolicyStatus", ({ bucket }) => ({
  body: xmlDocument("PolicyStatus", tag("IsPublic", isPublicBucket(bucket))),
}));

/** The elements of a configuration, and their names in the settings of a bucket. */
const BLOCKS = {
  BlockPublicAcls: "block_public_acls",
  IgnorePublicAcls: "ignore_public_acls",
  BlockPublicPolicy: "block_public_policy",
  RestrictPublicBuckets: "restrict_public_buckets",
} as const;

const getPublicAccessBlock = readsBucket("GetPublicAccessBlock", ({ bucket }) => {
  const block = publicAccessBlockOf(bucket);
  if (!block) {
    throw new S3Error("NoSuchPublicAccessBlockConfiguration", "Nothing blocks public access to the bucket.");
  }
  const tags = Object.entries(BLOCKS).map(([element, name]) => tag(element, block[name]));
  return { body: xmlDocument("PublicAccessBlockConfiguration", tags) };
});

const putPublicAccessBlock = changesBucket("PutPublicAccessBlock", async (call) => {
  const document = await readDocument(call, "PublicAccessBlockConfiguration");
  const block = Object.entries(BLOCKS).map(([element, name]) => {
    const text = textIn(document, element)?.toLowerCase() ?? "false";
    if (text !== "true" && text !== "false") throw new S3Error("MalformedXML", `${element} must be true or false.`);
    return [name, text === "true"];
  });
  return changeBucket(call, { public_access_block: Object.fromEntries(block) });
});

const deletePublicAccessBlock = changesBucket("DeletePublicAccessBlock", (call) =>
  changeBucket(call, { public_access_block: null }, 204),
);

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
