import { writeSync } from "node:fs";
import { createObjects } from "../../../server/cloud/data/objects/create-objects";
import type { BucketRef } from "../../../server/cloud/data/objects/objects";
import { openBlobStore } from "../../../server/engines/objects/open-blob-store";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { systemClock } from "../../../server/kernel/clock";
import { dyingAt, watchStatements } from "./dying-steps";

const DAY_MS = 86_400_000;

/**
 * Stores objects and retains them ever longer, while another worker tries to delete each of their versions. Writes down
 * what is acknowledged, and kills itself when it comes by a step for the n-th time. Arguments: the database, the folder,
 * the bucket as JSON, the number of this run, the step, its pass, and the moment.
 */
const [url = "", dataDir = "", bucketText = "", run = "", step = "", passText = "", moment = ""] =
  process.argv.slice(2);
const bucket = JSON.parse(bucketText) as BucketRef;
const { sql, db } = connectPostgres(url, { poolMax: 6 });
watchStatements(sql, dyingAt({ step, pass: Number(passText), moment }));
const blobs = await openBlobStore({ dataDir, objectsDiskShare: 1 });
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const objects = createObjects({ sql, db, clock: systemClock, blobs, log });

async function* body(): AsyncIterable<Uint8Array> {
  yield Buffer.from("locked");
}

for (let i = 0; ; i++) {
  const key = `${run}.${i}`;
  const properties = { contentType: "text/plain", headers: {}, userMetadata: {} };
  const { versionId } = await objects.put(bucket, { key, ...properties, body: { stream: body() } });
  const retain = async () => {
    for (const days of [1, 2, 3]) {
      const until = Date.now() + days * DAY_MS;
      await objects.setLock(bucket, { key, versionId }, { retention: { mode: "compliance", until } });
      writeSync(1, `${JSON.stringify({ key, versionId, until })}\n`);
    }
  };
  // Of an object that was deleted before it was retained there is no lock.
  await Promise.allSettled([retain(), objects.delete(bucket, [{ key, versionId, bypassGovernance: true }])]);
}
