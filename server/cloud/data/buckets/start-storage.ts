import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Counters } from "../../../engines/counters/counters";
import type { MinuteTasks, Tasks } from "../../../engines/jobs/start-jobs";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { deriveKey } from "../../../kernel/secrets";
import type { StopStack } from "../../../kernel/stop-stack";
import type { Objects } from "../objects/objects";
import { createBucketsByName } from "./buckets-by-name";
import { DELETE_BUCKETS, deletionTasks } from "./delete-buckets";
import { MEASURE_BUCKETS_CRONTAB, measuringTasks } from "./measure-buckets";
import { createS3Credentials } from "./s3-credentials";

interface StorageParts {
  db: PrismaClient;
  clock: Clock;
  counters: Counters;
  /** SVC_SECRET. */
  secret: string;
  stops: StopStack;
}

/** Starts the caches of S3 credentials and of buckets, which the S3 endpoint reads. */
export async function startStorage({ db, clock, counters, secret, stops }: StorageParts) {
  const s3Credentials = await createS3Credentials({ db, clock, counters, key: deriveKey(secret, "s3") });
  stops.push("S3 credentials", () => s3Credentials.close());
  const bucketsByName = await createBucketsByName({ db, clock, counters });
  stops.push("settings of buckets", () => bucketsByName.close());
  return { s3Credentials, bucketsByName };
}

export const STORAGE_CRONTAB = MEASURE_BUCKETS_CRONTAB;
export const STORAGE_EVERY_MINUTE: MinuteTasks = {
  [DELETE_BUCKETS]: "SELECT FROM buckets WHERE deleting_since IS NOT NULL",
};

/** Deletes buckets in the background and measures them. */
export const storageTasks = (parts: {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  counters: Counters;
  objects: Objects;
  log: Pick<Logger, "warn">;
}): Tasks => ({ ...deletionTasks(parts), ...measuringTasks(parts) });
