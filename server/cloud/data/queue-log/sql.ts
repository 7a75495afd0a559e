import type { Pool, PoolClient } from "pg";

/** The pool, or the connection of a transaction. */
export type Sql = Pick<Pool | PoolClient, "query">;
