import type { Pool } from "pg";
import type { ActorCtx } from "../../../identity/identity-ctx";

export interface SecretCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
}
