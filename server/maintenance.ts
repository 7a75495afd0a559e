import type { Pool } from "pg";
import { SIGNAL_LIFE_MS } from "./ads/limits";
import type { Tasks } from "./engines/jobs/start-jobs";
import { dropOldOfferPartitions, ensureOfferPartitions } from "./engines/postgres/partitions";
import type { Clock } from "./kernel/clock";

const KEEP_PARTITIONS = "keep_partitions";
const FORGET_SIGNALS = "forget_signals";

/** Hourly, in graphile-worker's notation. */
export const MAINTENANCE_CRONTAB = `7 * * * * ${KEEP_PARTITIONS}\n27 * * * * ${FORGET_SIGNALS}`;

/** What keeps the tables in shape: days of offers come and go whole, remembered signals fade. */
export const maintenanceTasks = ({ sql, clock }: { sql: Pool; clock: Clock }): Tasks => ({
  [KEEP_PARTITIONS]: async () => {
    await ensureOfferPartitions(sql, clock.now());
    await dropOldOfferPartitions(sql, clock.now());
  },
  [FORGET_SIGNALS]: async () => {
    const before = new Date(clock.now().getTime() - SIGNAL_LIFE_MS);
    await sql.query("DELETE FROM signals WHERE created_at < $1", [before]);
  },
});
