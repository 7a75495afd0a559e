import type { Pool } from "pg";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { FunctionRunner } from "./function-runner";

export interface FunctionCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** Runs functions in this process. */
  functions: FunctionRunner;
}
