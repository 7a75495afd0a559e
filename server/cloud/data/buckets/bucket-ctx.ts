import type { Pool } from "pg";
import type { Counters } from "../../../engines/counters/counters";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { Objects } from "../objects/objects";
import type { S3Credentials } from "./s3-credentials";

export interface BucketCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  counters: Counters;
  publicUrl: string;
  /** The objects of all buckets. */
  objects: Objects;
  /** Derives S3 credentials and finds their holders. */
  s3Credentials: S3Credentials;
}
