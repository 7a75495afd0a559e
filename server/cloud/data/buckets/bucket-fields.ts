import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { Versioning } from "./bucket";
import { BucketName } from "./bucket-name";
import { BucketTags, CorsRules, LifecycleRules } from "./bucket-rules";
import { securityFields } from "./bucket-security";
import { tierField } from "./storage-tier";

/** The settings of a bucket that a client sends, without defaults. */
export const bucketFields = {
  name: BucketName,
  versioning: Versioning,
  public_read: z.boolean().describe("Anyone may read the objects, without credentials; lists stay private"),
  tier: tierField,
  cors_rules: CorsRules,
  lifecycle_rules: LifecycleRules,
  tags: BucketTags,
  ...securityFields,
};

/** The part of a request that names a bucket. */
export const bucketChoice = { bucket: IdText.min(1).describe("The id or name of the bucket") };
