import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Counters } from "../../../engines/counters/counters";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Part } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { deriveKey } from "../../../kernel/secrets";
import type { Objects } from "../objects/objects";
import { type AccessLists, createAccessLists } from "./access-lists";
import { bucketEventKinds } from "./bucket.events";
import { BUCKET_QUOTAS } from "./buckets.quotas";
import { storageRoutes } from "./buckets.routes";
import { storageTools } from "./buckets.tools";
import { type BucketsByName, createBucketsByName } from "./buckets-by-name";
import { DELETE_BUCKETS_EVERY_MINUTE, deletionTasks } from "./delete-buckets";
import { MEASURE_BUCKETS_CRONTAB, measuringTasks } from "./measure-buckets";
import { createS3Credentials, type S3Credentials } from "./s3-credentials";

interface Needs {
  db: PrismaClient;
  sql: Pool;
  counters: Counters;
  clock: Clock;
  log: Logger;
  /** SVC_SECRET. */
  secret: string;
  objects: Objects;
}

interface Gives {
  /** Derives S3 credentials and finds their holders. */
  s3Credentials: S3Credentials;
  /** The settings of buckets, cached for the S3 endpoint. */
  bucketsByName: BucketsByName;
  /** What the S3 endpoint does with access lists. */
  accessLists: AccessLists;
}

/** Buckets, with the caches that the S3 endpoint reads. */
export const bucketsPart: Part<Needs, Gives, typeof storageRoutes> = {
  name: "buckets",
  routes: [storageRoutes],
  tools: storageTools,
  eventKinds: bucketEventKinds,
  quotas: Object.values(BUCKET_QUOTAS),
  start: async ({ db, sql, counters, clock, log, secret, objects }) => {
    const s3Credentials = await createS3Credentials({ db, clock, counters, key: deriveKey(secret, "s3") });
    const bucketsByName = await createBucketsByName({ db, clock, counters });
    return {
      gives: { s3Credentials, bucketsByName, accessLists: createAccessLists({ db, clock, counters }) },
      tasks: { ...deletionTasks({ db, sql, clock, counters, objects, log }), ...measuringTasks({ sql, clock }) },
      crontab: [MEASURE_BUCKETS_CRONTAB],
      everyMinute: DELETE_BUCKETS_EVERY_MINUTE,
      stop: async () => {
        await bucketsByName.close();
        await s3Credentials.close();
      },
    };
  },
};
