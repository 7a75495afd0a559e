import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { bucketExample } from "./bucket.example";
import { assertNotDenied } from "./bucket-access";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { findBucket } from "./find-bucket";
import { objectExample } from "./object.example";
import { keyInPath, versionId } from "./object-fields";

/** Deletes an object or one version of it, permanently; a key that does not exist is no error. Throws `not_found` for the bucket. */
export const deleteObject = operation({
  id: "deleteObject",
  summary: "Delete an object",
  description:
    "In a bucket with versioning the object gets a delete marker and its versions stay; with `version_id` that version is deleted permanently. A key that does not exist is no error, as in S3.",
  access: "storage:write",
  input: z.strictObject({ ...bucketChoice, key: keyInPath, version_id: versionId }),
  output: z.void(),
  example: { input: { bucket: bucketExample.name, key: objectExample.key }, output: undefined },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "objects">, { bucket: asked, key, version_id }) => {
    const bucket = await findBucket(ctx, { bucket: asked });
    assertNotDenied(ctx, bucket, {
      action: version_id === undefined ? "s3:DeleteObject" : "s3:DeleteObjectVersion",
      keys: [key],
    });
    await ctx.objects.delete(bucket, [{ key, ...(version_id !== undefined && { versionId: version_id }) }]);
  },
});
