import { bucketTagsOf } from "../../cloud/data/buckets/bucket";
import { updateBucket } from "../../cloud/data/buckets/update-bucket";
import type { BucketCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { taggingDocument, tagsOf } from "./tags";
import { readDocument } from "./xml-body";

export const getBucketTagging: S3Operation<BucketCall> = {
  name: "GetBucketTagging",
  access: "storage:read",
  run: async ({ bucket }) => {
    const tags = bucketTagsOf(bucket);
    if (tags.length === 0) throw new S3Error("NoSuchTagSet", "The bucket has no tags.");
    return { body: taggingDocument(tags.map(({ key, value }) => [key, value] as const)) };
  },
};

export const putBucketTagging: S3Operation<BucketCall> = {
  name: "PutBucketTagging",
  access: "storage:write",
  run: async (call) => {
    const tags = tagsOf(await readDocument(call, "Tagging"), "bucket");
    const wanted = tags.map(([key, value]) => ({ key, value }));
    await call.runOperation(updateBucket, { bucket: call.bucket.name, tags: wanted });
    return { status: 204 };
  },
};

export const deleteBucketTagging: S3Operation<BucketCall> = {
  name: "DeleteBucketTagging",
  access: "storage:write",
  run: async (call) => {
    await call.runOperation(updateBucket, { bucket: call.bucket.name, tags: [] });
    return { status: 204 };
  },
};
