import type { Pool } from "pg";
import type { Tasks } from "../../../engines/jobs/start-jobs";
import type { Clock } from "../../../kernel/clock";
import { addBucketHours, deleteBucketHoursBefore, HOUR_MS } from "./bucket-hours.sql";

export const HISTORY_DAYS_MAX = 90;

const MEASURE_BUCKETS = "measure_buckets";

/** In graphile-worker's crontab format. */
export const MEASURE_BUCKETS_CRONTAB = `2 * * * * ${MEASURE_BUCKETS}`;

/** Measures buckets once an hour, and deletes what is older than 90 days. */
export const measuringTasks = ({ sql, clock }: { sql: Pool; clock: Clock }): Tasks => ({
  [MEASURE_BUCKETS]: async () => {
    const now = clock.now();
    await addBucketHours(sql, now);
    await deleteBucketHoursBefore(sql, new Date(now.getTime() - HISTORY_DAYS_MAX * 24 * HOUR_MS));
  },
});
