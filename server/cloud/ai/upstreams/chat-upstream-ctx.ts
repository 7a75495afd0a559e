import type { Pool } from "pg";
import type { AddressPolicy } from "../../../engines/address-policy";
import type { Counters } from "../../../engines/counters/counters";
import type { ActorCtx } from "../../../identity/identity-ctx";

export interface ChatUpstreamCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  counters: Counters;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
  /** Which URLs webhooks may have. */
  urlPolicy: AddressPolicy;
}
