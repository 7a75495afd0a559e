import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { INPUT_LIMITS } from "../../../kernel/bounded-input";
import { operation } from "../../cloud-operation";
import { bucketExample } from "./bucket.example";
import { assertNotDenied } from "./bucket-access";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { findBucket } from "./find-bucket";
import { objectExample } from "./object.example";
import { ObjectKey } from "./object-fields";

const KEYS_MAX = 1000;

/** Deletes up to 1,000 objects in one transaction. Throws `not_found` for the bucket. */
export const deleteObjects = operation({
  id: "deleteObjects",
  summary: "Delete up to 1,000 objects",
  description:
    "All of them are deleted, or none if the request fails. Keys that do not exist count as deleted, as in S3. Each 50 keys count as one request.",
  access: "storage:write",
  elements: ({ keys }) => keys.length,
  // 1,000 keys of 1,024 bytes, each of which may be escaped in JSON.
  inputLimits: { ...INPUT_LIMITS, bytes: 8 * 1024 * 1024 },
  input: z.strictObject({
    ...bucketChoice,
    keys: z.array(ObjectKey).min(1).max(KEYS_MAX).describe("The keys of the objects, at most 1,000"),
  }),
  output: z.object({ deleted: z.int().min(0).describe("The number of different keys") }),
  example: { input: { bucket: bucketExample.name, keys: [objectExample.key] }, output: { deleted: 1 } },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "objects">, { bucket: asked, keys }) => {
    const bucket = await findBucket(ctx, { bucket: asked });
    const distinct = [...new Set(keys)];
    assertNotDenied(ctx, bucket, { action: "s3:DeleteObject", keys: distinct });
    const deleted = await ctx.objects.delete(
      bucket,
      distinct.map((key) => ({ key })),
    );
    for (const { failure } of deleted) if (failure) throw failure;
    return { deleted: distinct.length };
  },
});
