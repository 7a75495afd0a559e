import { bucketTagsOf } from "../../cloud/data/buckets/bucket";
import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { S3Error } from "./s3-error";
import { taggingDocument, tagsOf } from "./tags";
import { readDocument } from "./xml-body";

export const getBucketTagging = readsBucket("GetBucketTagging", ({ bucket }) => {
  const tags = bucketTagsOf(bucket);
  if (tags.length === 0) throw new S3Error("NoSuchTagSet", "The bucket has no tags.");
  return { body: taggingDocument(tags.map(({ key, value }) => [key, value] as const)) };
});

export const putBucketTagging = changesBucket("PutBucketTagging", async (call) => {
  const tags = tagsOf(await readDocument(call, "Tagging"), "bucket");
  return changeBucket(call, { tags: tags.map(([key, value]) => ({ key, value })) });
});

export const deleteBucketTagging = changesBucket("DeleteBucketTagging", (call) =>
  changeBucket(call, { tags: [] }, 204),
);
