import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { Bucket, toBucket } from "./bucket";
import { bucketExample } from "./bucket.example";
import { bucketChoice } from "./bucket-fields";
import { findBucket } from "./find-bucket";

/** Returns a bucket with its usage. Throws `not_found`. */
export const getBucket = operation({
  id: "getBucket",
  summary: "Get a bucket with its usage and the progress of its deletion",
  access: "storage:read",
  input: z.strictObject(bucketChoice),
  output: Bucket,
  example: { input: { bucket: bucketExample.name }, output: bucketExample },
  run: async (ctx: ActorCtx, input) => toBucket(await findBucket(ctx, input)),
});
