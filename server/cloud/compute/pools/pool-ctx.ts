import type { Pool } from "pg";
import type { ActorCtx } from "../../../identity/identity-ctx";

export interface PoolCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
}
