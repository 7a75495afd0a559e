import type { Pool } from "pg";
import type { ActorCtx } from "../../identity/identity-ctx";
import type { Turns } from "../../kernel/turns";

export interface StatementCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** Limits concurrent reports per tenant: one report can read hundreds of days. */
  reportTurns: Pick<Turns, "run">;
}
