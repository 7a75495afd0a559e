import { deletionTasks } from "../../../server/cloud/data/buckets/delete-buckets";
import { measuringTasks } from "../../../server/cloud/data/buckets/measure-buckets";
import { startObjects } from "../../../server/cloud/data/objects/create-objects";
import { MemoryCounters } from "../../../server/engines/counters/memory-counters";
import { addJob } from "../../../server/engines/jobs/add-job";
import { startJobs } from "../../../server/engines/jobs/start-jobs";
import { openBlobStore } from "../../../server/engines/objects/open-blob-store";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { startAlarms } from "../../../server/engines/start-alarms";
import { type Death, dyingAt, watchStatements } from "./dying-steps";

export interface DeletionSettings {
  url: string;
  dataDir: string;
  /** The task that this process adds as the crontab does. */
  task: string;
  /** How far its clock is ahead. */
  aheadMs?: number;
  death?: Death;
}

/** A crontab's minute would be long for a test. */
const AGAIN_MS = 250;
/** So that a deletion has many transactions. */
const BATCH = 4;

/** A worker that runs the jobs of object storage until it is killed, by itself or by the test. */
const { url, dataDir, task, aheadMs = 0, death } = JSON.parse(process.argv[2] ?? "") as DeletionSettings;
const atStep = dyingAt(death);
const { sql, db } = connectPostgres(url, { poolMax: 6 });
watchStatements(sql, atStep);
const blobs = await openBlobStore({ dataDir, objectsDiskShare: 1 });
const remove = blobs.remove.bind(blobs);
Object.assign(blobs, { remove: (names: readonly string[]) => atStep("blobs removed", () => remove(names)) });
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = { now: () => new Date(Date.now() + aheadMs) };
const { objects, tasks } = startObjects({ sql, db, clock, blobs, log }, new AbortController().signal);
const empty = objects.empty.bind(objects);
Object.assign(objects, { empty: (bucket: Parameters<typeof empty>[0]) => empty(bucket, BATCH) });
await startJobs({
  pool: sql,
  log,
  alarms: startAlarms({ sql, clock, log }),
  tasks: {
    ...tasks,
    ...deletionTasks({ db, sql, clock, counters: new MemoryCounters(clock), objects, log }),
    ...measuringTasks({ sql, clock }),
  },
});
setInterval(() => void addJob(sql, task, {}), AGAIN_MS);
