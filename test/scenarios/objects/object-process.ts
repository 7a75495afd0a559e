import { writeSync } from "node:fs";
import { ChangeCommits } from "../../../server/cloud/data/objects/commit-changes";
import { createObjects } from "../../../server/cloud/data/objects/create-objects";
import type { BucketRef } from "../../../server/cloud/data/objects/objects";
import { OpenReadings } from "../../../server/cloud/data/objects/open-readings";
import { moveByAge } from "../../../server/cloud/data/objects/tier-moves";
import { openBlobStore } from "../../../server/engines/objects/open-blob-store";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { systemClock } from "../../../server/kernel/clock";
import { dyingAt, watchStatements } from "./dying-steps";
import { contentFor, partsFor } from "./object-content";

const DAY_MS = 86_400_000;

/**
 * Puts, replaces, deletes and assembles objects in three workers at once while a fourth one moves them to another storage
 * class, writes down what it begins and what has succeeded, and kills itself when it comes by a step for the n-th time: before it, during it, or behind it. Arguments:
 * the database, the folder, the bucket as JSON, the number of this run, the step, its pass, and the moment.
 */
const [url = "", dataDir = "", bucketText = "", run = "", step = "", passText = "", moment = ""] =
  process.argv.slice(2);
const bucket = JSON.parse(bucketText) as BucketRef;
const atStep = dyingAt({ step, pass: Number(passText), moment });
const { sql, db } = connectPostgres(url, { poolMax: 6 });
watchStatements(sql, atStep);
const blobs = await openBlobStore({ dataDir, objectsDiskShare: 1 });
const put = blobs.put.bind(blobs);
Object.assign(blobs, { put: (...args: Parameters<typeof put>) => atStep("blob", () => put(...args)) });
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const objects = createObjects({ sql, db, clock: systemClock, blobs, log });

const PLAIN = { contentType: "text/plain", headers: {}, userMetadata: {} };
async function* body(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** `version` 0: the object is deleted. */
async function noted(key: string, version: number, work: () => Promise<unknown>): Promise<void> {
  writeSync(1, `${JSON.stringify({ what: "begin", key, version })}\n`);
  await work();
  writeSync(1, `${JSON.stringify({ what: "end", key, version })}\n`);
}

const putVersion = (key: string, version: number) =>
  noted(key, version, () => objects.put(bucket, { key, ...PLAIN, body: { stream: body(contentFor(key, version)) } }));

async function assemble(key: string): Promise<void> {
  const upload = await objects.createUpload(bucket, { key, properties: PLAIN });
  const parts = await Promise.all(
    partsFor(key, 1).map((bytes, i) =>
      objects.putPart(bucket, { key, uploadId: upload.uploadId, number: i + 1, body: { stream: body(bytes) } }),
    ),
  );
  await noted(key, 1, () => objects.completeUpload(bucket, { ...upload, parts }));
}

async function work(worker: string): Promise<void> {
  for (let i = 0; ; i++) {
    const key = `${run}.${worker}.${i}`;
    await putVersion(key, 1);
    if (i % 3 === 0) await putVersion(key, 2);
    if (i % 3 === 1) await noted(key, 0, () => objects.delete(bucket, [{ key }]));
    if (i % 3 === 2) await assemble(`multipart.${key}`);
  }
}

/** The bucket's rule moves everything at the midnight after it was stored, so at once for the clock of tomorrow. */
async function move(): Promise<void> {
  const clock = { now: () => new Date(Date.now() + DAY_MS) };
  const parts = { sql, clock, blobs, log, stopping: new AbortController().signal };
  const [commits, readings] = [new ChangeCommits(parts), new OpenReadings(parts)];
  for (;;) await moveByAge({ ...parts, commits, readings });
}

await Promise.all([...["a", "b", "c"].map(work), move()]);
