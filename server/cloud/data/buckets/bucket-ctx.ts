import type { Counters } from "../../../engines/counters/counters";
import type { SqlCtx } from "../../../identity/identity-ctx";
import type { Objects } from "../objects/objects";
import type { S3Credentials } from "./s3-credentials";

export interface BucketCtx extends SqlCtx {
  counters: Counters;
  publicUrl: string;
  /** The objects of all buckets. */
  objects: Objects;
  /** Derives S3 credentials and finds their holders. */
  s3Credentials: S3Credentials;
}
