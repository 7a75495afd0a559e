import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { bucketExample } from "./bucket.example";
import { assertNotDenied } from "./bucket-access";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { findBucket } from "./find-bucket";
import { metadataExample, objectExample } from "./object.example";
import { keyInPath, ObjectMetadata, toObjectMetadata, versionId } from "./object-fields";

/** Returns the metadata of an object. Throws `not_found` for the bucket, key or version, and for a delete marker. */
export const getObject = operation({
  id: "getObject",
  summary: "Get the metadata of an object",
  description: "The content is at the S3 endpoint; `POST /v1/storage/presign` returns a URL for it.",
  access: "storage:read",
  input: z.strictObject({ ...bucketChoice, key: keyInPath, version_id: versionId }),
  output: ObjectMetadata,
  example: {
    input: { bucket: bucketExample.name, key: objectExample.key },
    output: metadataExample,
  },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "objects">, { bucket: asked, key, version_id }) => {
    const bucket = await findBucket(ctx, { bucket: asked });
    assertNotDenied(ctx, bucket, {
      action: version_id === undefined ? "s3:GetObject" : "s3:GetObjectVersion",
      keys: [key],
    });
    const found = await ctx.objects.find(bucket, { key, ...(version_id !== undefined && { versionId: version_id }) });
    if (!found || found.isDeleteMarker) throw noSuchObject(key);
    return toObjectMetadata(found);
  },
});

const noSuchObject = (key: string): ServiceError =>
  new ServiceError("not_found", `The bucket has no object with the key "${key.slice(0, 80)}" and this version.`, {
    param: "key",
    details: { reason: "no_such_key" },
  });
