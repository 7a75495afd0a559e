import type { Pool } from "pg";
import { inTransaction } from "../../../engines/postgres/in-transaction";
import type { Clock } from "../../../kernel/clock";
import { DAILY_SERVICES, measuredUntil, measureService } from "./usage-days.sql";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The history of queues is kept for 14 days; the first of them may be incomplete. */
const SOURCE_DAYS = 13;

/**
 * Sums the meters of functions, queues, buckets and chat requests by day. The day of the last measurement and the one
 * before it are measured again, because counts are stored some seconds late. Any number of processes may do so.
 */
export async function measureUsage({ sql, clock }: { sql: Pool; clock: Clock }): Promise<void> {
  const now = clock.now();
  const known = await measuredUntil(sql);
  for (const service of DAILY_SERVICES) {
    // Bytes are measured once an hour, so that hours that are not over have no byte-hours yet.
    const to = service === "storage" ? new Date(floor(now.getTime(), HOUR_MS)) : now;
    const last = known.get(service)?.getTime() ?? 0;
    const today = floor(now.getTime(), DAY_MS);
    const from = Math.max(floor(last, DAY_MS) - DAY_MS, today - SOURCE_DAYS * DAY_MS);
    await inTransaction(sql, (client) => measureService(client, service, { from: new Date(from), to }));
  }
}

const floor = (ms: number, step: number): number => Math.floor(ms / step) * step;
