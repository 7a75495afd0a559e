import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { ActorCtx } from "../../identity/identity-ctx";

export interface BudgetCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  clickhouse: ClickHouseClient;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
}
