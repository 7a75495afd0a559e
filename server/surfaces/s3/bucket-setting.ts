import { updateBucket } from "../../cloud/data/buckets/update-bucket";
import type { BucketCall, S3Operation, S3Result } from "./s3-call";

/** An operation that shows a setting of a bucket. */
export const readsBucket = (name: string, run: (call: BucketCall) => S3Result): S3Operation<BucketCall> => ({
  name,
  access: "storage:read",
  run: async (call) => run(call),
});

/** An operation that changes a setting of a bucket. */
export const changesBucket = (name: string, run: S3Operation<BucketCall>["run"]): S3Operation<BucketCall> => ({
  name,
  access: "storage:write",
  run,
});

/** Changes settings of the bucket as the REST API does, with the same checks and records. */
export async function changeBucket(
  call: BucketCall,
  settings: Record<string, unknown>,
  status = 200,
): Promise<S3Result> {
  await call.runOperation(updateBucket, { bucket: call.bucket.name, ...settings });
  return { status };
}
