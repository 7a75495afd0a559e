import type { Pool } from "pg";
import type { Tasks } from "../../../engines/jobs/start-jobs";
import type { Clock } from "../../../kernel/clock";
import { deleteArchived } from "./forget-resources.sql";

const KEPT_MS = 30 * 24 * 3_600_000;
const BATCH = 1000;

const FORGET = "forget_resources";

export const RESOURCES_CRONTAB = `43 3 * * * ${FORGET}`;

export const resourceTasks = (parts: { sql: Pool; clock: Clock }): Tasks => ({
  [FORGET]: () => forgetResources(parts),
});

/**
 * Deletes the records of resources that were deleted 30 days ago, each night. Those that usage shows, or that another
 * resource names, stay; audit entries, events and the ledger have what they need.
 */
export async function forgetResources({ sql, clock }: { sql: Pick<Pool, "query">; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  while ((await deleteArchived(sql, { before, limit: BATCH })) === BATCH);
}
