import { z } from "zod";
import { IdText, ModeName } from "../../../identity/wire-text";
import { Versioning } from "./bucket";
import { BucketName } from "./bucket-name";
import { CorsRules, LifecycleRules } from "./bucket-rules";
import { tierField } from "./storage-tier";

/** The settings of a bucket that a client sends, without defaults. */
export const bucketFields = {
  name: BucketName,
  versioning: Versioning,
  public_read: z.boolean().describe("Anyone may read the objects, without credentials; lists stay private"),
  tier: tierField,
  cors_rules: CorsRules,
  lifecycle_rules: LifecycleRules,
};

/** Where a bucket is created, or the default bucket is. */
export const ownerFields = {
  mode: ModeName.optional().describe("The mode of a person's request (default: test); a key always uses its own mode"),
  project: IdText.optional().describe(
    "The project of a person's request (default: the first one), by id or name; a key always uses its own project",
  ),
};

/** The part of a request that names a bucket. */
export const bucketChoice = { bucket: IdText.min(1).describe("The id or name of the bucket") };
