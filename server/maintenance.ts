import type { Pool } from "pg";
import { attributeWaiting } from "./ads/conversions/attribute-waiting";
import { SIGNAL_LIFE_MS } from "./ads/limits";
import type { Tasks } from "./engines/jobs/start-jobs";
import { dropOldPartitions, ensurePartitions } from "./engines/postgres/partitions";
import type { Clock } from "./kernel/clock";

const KEEP_PARTITIONS = "keep_partitions";
const FORGET_SIGNALS = "forget_signals";
const ATTRIBUTE_WAITING = "attribute_waiting";

/** In graphile-worker's notation. */
export const MAINTENANCE_CRONTAB = [
  `7 * * * * ${KEEP_PARTITIONS}`,
  `27 * * * * ${FORGET_SIGNALS}`,
  `*/5 * * * * ${ATTRIBUTE_WAITING}`,
].join("\n");

export interface Maintenance {
  sql: Pool;
  clock: Clock;
  currency: string;
}

/** What keeps the tables in shape: days of offers come and go whole, remembered signals fade, late clicks find their orders. */
export const maintenanceTasks = ({ sql, clock, currency }: Maintenance): Tasks => ({
  [KEEP_PARTITIONS]: async () => {
    await ensurePartitions(sql, clock.now());
    await dropOldPartitions(sql, clock.now());
  },
  [ATTRIBUTE_WAITING]: async () => {
    await attributeWaiting(sql, { now: clock.now(), currency });
  },
  [FORGET_SIGNALS]: async () => {
    const before = new Date(clock.now().getTime() - SIGNAL_LIFE_MS);
    await sql.query("DELETE FROM signals WHERE created_at < $1", [before]);
  },
});
