import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { ActorCtx } from "../../identity/identity-ctx";

export interface AttentionCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  clickhouse: ClickHouseClient;
  /** Treats every advertiser as approved; true when PUBLIC_URL is a loopback address. */
  automaticReview: boolean;
}
