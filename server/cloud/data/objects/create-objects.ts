import type { Pool } from "pg";
import type { Logger } from "pino";
import type { BlobStore } from "../../../engines/objects/blob-store";
import { unavailableOnConnectionError } from "../../../engines/postgres/connection-error";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import { emptyBucket } from "./bucket-contents";
import { ChangeCommits } from "./commit-changes";
import { countObjects } from "./count-objects";
import { rootKeysOf } from "./encryption";
import { listObjects, listVersions } from "./lists";
import { findRow, readObject } from "./object-reads";
import type { ObjectStore } from "./object-store";
import { OBJECTS_CRONTAB, objectTasks } from "./object-tasks";
import { copyObject, deleteObjects, putObject } from "./object-writes";
import type { Objects } from "./objects";
import { OpenReadings } from "./open-readings";
import { restoreObject } from "./restore-object";
import { setAccess } from "./set-access";
import { setLock } from "./set-lock";
import { setTags } from "./set-tags";
import { uploadsOf } from "./uploads";
import { versionOf } from "./version-row";
import type { Sql } from "./versions.sql";

export interface ObjectsParts {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  blobs: BlobStore;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Absent: only the limits of object storage apply. */
  storedBytes?: TenantRoom | undefined;
  /** SVC_SECRET; absent: nothing can be encrypted with keys of this installation. */
  secret?: string | undefined;
  /** SVC_SECRET_PREVIOUS: what is encrypted under it can be read. */
  previousSecret?: string | undefined;
}

/** Opens the objects of all buckets; any number of processes may do so on one database and blob store. */
export const createObjects = (parts: ObjectsParts): Objects => startObjects(parts, NEVER).objects;

const NEVER = AbortSignal.any([]);

/** The objects, and their background work for graphile-worker. */
export function startObjects({ sql, clock, blobs, log, storedBytes, ...secrets }: ObjectsParts, stopping: AbortSignal) {
  const commits = new ChangeCommits({ sql, clock, storedBytes });
  const scrubbed = { ok: 0, lost: 0 };
  const readings = new OpenReadings({ sql, clock, log });
  const { secret, previousSecret } = secrets;
  const rootKeys = secret === undefined ? undefined : rootKeysOf(secret, previousSecret);
  const store: ObjectStore = { sql: availableSql(sql), clock, blobs, log, commits, readings, storedBytes, rootKeys };
  const objects: Objects = {
    put: (bucket, object) => putObject(store, bucket, object),
    find: async (bucket, choice) => {
      const row = await findRow(store, bucket, choice);
      return row && versionOf(row);
    },
    read: (bucket, choice) => readObject(store, bucket, choice),
    delete: (bucket, choices, condition) => deleteObjects(store, bucket, { choices, condition }),
    copy: (from, to) => copyObject(store, from, to),
    restore: (bucket, choice, days) => restoreObject(store, bucket, { ...choice, days }),
    setTags: (bucket, choice, tags) => setTags(store, bucket, { ...choice, tags }),
    setLock: (bucket, choice, lock) => setLock(store, bucket, { ...choice, lock }),
    setAccess: (bucket, choice, change) => setAccess(store, bucket, { ...choice, change }),
    list: (bucket, options) => listObjects(store, bucket, options),
    count: (bucket, prefix) => countObjects(store, bucket, prefix),
    listVersions: (bucket, options) => listVersions(store, bucket, options),
    ...uploadsOf(store),
    empty: (bucket, max) => emptyBucket(store, bucket, max),
    stop: async () => {
      await Promise.all([commits.close(), readings.stop()]);
    },
  };
  const tasks = objectTasks({ sql, clock, blobs, log, stopping, commits, readings, scrubbed });
  return { objects, tasks, crontab: OBJECTS_CRONTAB, scrubbed };
}

/** A failure of the database is `unavailable`. */
function availableSql(sql: Pool): Sql {
  const query = async (...query: Parameters<Pool["query"]>) => {
    try {
      return await sql.query(...query);
    } catch (failure) {
      throw unavailableOnConnectionError(failure);
    }
  };
  return { query: query as Pool["query"] };
}
