import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { AccessList, ObjectOwnership } from "./access-list";
import { Versioning } from "./bucket";
import { ObjectLock } from "./bucket-lock";
import { BucketName } from "./bucket-name";
import { BucketTags, CorsRules } from "./bucket-rules";
import { securityFields } from "./bucket-security";
import { LifecycleRules } from "./lifecycle-rules";
import { tierField } from "./storage-tier";

/** The settings of a bucket that a client sends, without defaults. */
export const bucketFields = {
  name: BucketName,
  versioning: Versioning,
  public_read: z
    .boolean()
    .describe(
      "Anyone may read the objects that have no access list of their own, without credentials; lists stay private",
    ),
  tier: tierField,
  cors_rules: CorsRules,
  lifecycle_rules: LifecycleRules,
  tags: BucketTags,
  ...securityFields,
  acl: AccessList,
  object_ownership: ObjectOwnership,
  object_lock: ObjectLock.describe(
    "Versions of objects can be kept from being deleted, by a retention or a legal hold. It needs versioning, and cannot be removed",
  ),
};

/** The part of a request that names a bucket. */
export const bucketChoice = { bucket: IdText.min(1).describe("The id or name of the bucket") };
