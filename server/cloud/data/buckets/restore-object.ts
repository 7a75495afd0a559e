import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { RESTORE_DAYS_MAX, RESTORE_DELAY_MS } from "../objects/tiers";
import { bucketExample } from "./bucket.example";
import { assertNotDenied } from "./bucket-access";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { findBucket } from "./find-bucket";
import { metadataExample, objectExample } from "./object.example";
import { keyInPath, ObjectMetadata, toObjectMetadata, versionId } from "./object-fields";

export const RestoreObject = z.strictObject({
  ...bucketChoice,
  key: keyInPath,
  version_id: versionId,
  days: z.int().min(1).max(RESTORE_DAYS_MAX).describe("How long the object can be read"),
});

/**
 * Makes an archived object readable. Throws `not_found` for the bucket, key or version, and `conflict` with the reason
 * `not_archived` or `restore_in_progress`.
 */
export const restoreObject = operation({
  id: "restoreObject",
  summary: "Restore an archived object",
  description: `Objects of the class \`archive\` cannot be read: a read is 409 with the reason \`archived\`, at the S3 endpoint 403 \`InvalidObjectState\`. A restored object can be read ${RESTORE_DELAY_MS / 60_000} minutes later, for \`days\` days; it stays in its class. Repeated while it can be read, the days begin again.`,
  access: "storage:write",
  stores: true,
  input: RestoreObject,
  output: ObjectMetadata,
  example: {
    input: { bucket: bucketExample.name, key: objectExample.key, days: 7 },
    output: {
      ...metadataExample,
      tier: "archive",
      restore: { readable_from: "2026-11-20T09:05:00.000Z", readable_until: "2026-11-27T09:05:00.000Z" },
    },
  },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "objects">, { bucket: asked, key, version_id, days }) => {
    const bucket = await findBucket(ctx, { bucket: asked });
    assertNotDenied(ctx, bucket, { action: "s3:RestoreObject", keys: [key] });
    const choice = { key, ...(version_id !== undefined && { versionId: version_id }) };
    return toObjectMetadata(await ctx.objects.restore(bucket, choice, days));
  },
});
