import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { bucketExample } from "./bucket.example";
import { assertNotDenied } from "./bucket-access";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { BYPASS_GOVERNANCE, bypassField } from "./bucket-lock";
import { findBucket } from "./find-bucket";
import { objectExample } from "./object.example";
import { keyInPath, versionId } from "./object-fields";

/** Deletes an object or one version of it, permanently; a key that does not exist is no error. Throws `not_found` for the bucket, and `forbidden` (reason `object_locked`). */
export const deleteObject = operation({
  id: "deleteObject",
  summary: "Delete an object",
  description:
    "In a bucket with versioning the object gets a delete marker and its versions stay; with `version_id` that version is deleted permanently, unless object lock protects it: 403 with the reason `object_locked`. A key that does not exist is no error, as in S3.",
  access: "storage:write",
  input: z.strictObject({
    ...bucketChoice,
    key: keyInPath,
    version_id: versionId,
    bypass_governance_retention: bypassField.describe("Deletes the version although it is retained in governance mode"),
  }),
  output: z.void(),
  example: { input: { bucket: bucketExample.name, key: objectExample.key }, output: undefined },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "objects">, input) => {
    const { bucket: asked, key, version_id, bypass_governance_retention } = input;
    const bucket = await findBucket(ctx, { bucket: asked });
    assertNotDenied(ctx, bucket, {
      action: version_id === undefined ? "s3:DeleteObject" : "s3:DeleteObjectVersion",
      keys: [key],
    });
    if (bypass_governance_retention) assertNotDenied(ctx, bucket, { action: BYPASS_GOVERNANCE, keys: [key] });
    const choice = { key, ...(version_id !== undefined && { versionId: version_id }) };
    const [deleted] = await ctx.objects.delete(bucket, [{ ...choice, bypassGovernance: bypass_governance_retention }]);
    if (deleted?.failure) throw deleted.failure;
  },
});
