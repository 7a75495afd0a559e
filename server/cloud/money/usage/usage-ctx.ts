import type { Pool } from "pg";
import type { ActorCtx } from "../../../identity/identity-ctx";

export interface UsageCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  /** The currency of the installation, such as USD. */
  currency: string;
}
