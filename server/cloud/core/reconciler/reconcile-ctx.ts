import type { Pool } from "pg";
import type { Logger } from "pino";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import type { Families } from "../kinds/families";
import type { ResourceLanes } from "./resource-lanes";
import type { AtResourceStep } from "./steps";

export interface ReconcileCtx {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  families: Families;
  /** In which the steps of this process take turns. */
  lanes: ResourceLanes;
  atStep?: AtResourceStep | undefined;
  /** Aborted when the process stops. */
  stopping?: AbortSignal | undefined;
  /** The deadline of a step in milliseconds; default: 50,000. */
  stepMsMax?: number | undefined;
  /** The deadline of a look at resources together in milliseconds; default: 10,000. */
  lookMsMax?: number | undefined;
}
