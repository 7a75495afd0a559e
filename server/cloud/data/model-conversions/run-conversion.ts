import type { Pool } from "pg";
import type { Logger } from "pino";
import type { AddressPolicy } from "../../../engines/address-policy";
import type { Network } from "../../../engines/guarded-fetch";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { asServiceError } from "../../../operation/as-service-error";
import type { StoredBucket } from "../buckets/bucket";
import { createBucketTarget, openBucketSource } from "../models/bucket-files";
import type { ModelSource } from "../models/conversion";
import { convertModel } from "../models/convert-model";
import { openHttpsSource } from "../models/https-source";
import type { Objects } from "../objects/objects";
import {
  CONVERSIONS,
  finishConversion,
  type LeasedConversion,
  storeProgress,
  takeConversion,
} from "./model-conversions.sql";

/** Turns without progress, such as those of processes that were killed. */
const ATTEMPTS_MAX = 5;
const RETRY_MS = 2000;
/** What may succeed when it is tried again. */
const PASSING: ReadonlySet<string> = new Set(["unavailable", "internal", "rate_limited"]);

export interface RunConversion {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  objects: Objects;
  log: Pick<Logger, "warn" | "error">;
  /** The built tensor-worker.ts; undefined: this thread converts. */
  workerFile?: string | undefined;
  network?: Network | undefined;
  policy?: AddressPolicy | undefined;
}

/**
 * Continues the conversion that has waited longest. Any number of processes may do so; one of a process that was killed
 * is continued after its last shard. Returns whether there was one.
 */
export async function runConversion(ctx: RunConversion, stopping: AbortSignal): Promise<boolean> {
  const { clock, sql, log } = ctx;
  const row = await takeConversion(sql, clock.now());
  if (!row) return false;
  const extend = () => CONVERSIONS.extend(sql, row, { now: clock.now() });
  const kept = CONVERSIONS.keep(row.id, { extend, log });
  const signal = AbortSignal.any([kept.signal, stopping]);
  try {
    const result = await convert(ctx, row, signal);
    await finishConversion(sql, row, { result, now: clock.now() });
  } catch (cause) {
    // Paused, deleted, taken over or stopped: its progress is stored.
    if (signal.aborted) await CONVERSIONS.release(sql, row, { until: clock.now() });
    else await endTurn(ctx, row, cause);
  } finally {
    kept.stop();
  }
  return true;
}

async function convert(ctx: RunConversion, row: LeasedConversion, signal: AbortSignal) {
  const { db, sql, objects, workerFile } = ctx;
  const { dtype, shards, sha256, bytesTotal, target } = row.request;
  const bucket = await livingBucket(db, target.bucketId, "target_uri");
  return convertModel(
    {
      source: await openSource(ctx, row, signal),
      target: createBucketTarget(objects, { bucket, prefix: target.prefix }),
      signal,
      workerFile,
      onProgress: (progress) => storeProgress(sql, row, progress),
    },
    { dtype, shards, sha256, bytesTotal, progress: row.progress ?? undefined },
  );
}

async function openSource(
  { db, objects, network, policy }: RunConversion,
  { request: { source } }: LeasedConversion,
  signal: AbortSignal,
): Promise<ModelSource> {
  if ("url" in source) return openHttpsSource(source.url, { network, policy }, signal);
  return openBucketSource(objects, {
    bucket: await livingBucket(db, source.bucketId, "source_model"),
    key: source.key,
  });
}

async function livingBucket(db: PrismaClient, id: string, field: string): Promise<StoredBucket> {
  const bucket = await db.bucket.findUnique({ where: { id } });
  if (bucket && !bucket.deletingSince) return bucket;
  throw new ServiceError("not_found", `The bucket of ${field} was deleted.`);
}

async function endTurn({ sql, clock, log }: RunConversion, row: LeasedConversion, cause: unknown): Promise<void> {
  const { code, message, details } = asServiceError(cause);
  if (code === "internal") log.error({ err: cause, rid: row.id }, "a conversion failed");
  const now = clock.now();
  if (PASSING.has(code) && row.attempts < ATTEMPTS_MAX) {
    await CONVERSIONS.release(sql, row, { until: new Date(now.getTime() + RETRY_MS * row.attempts ** 2) });
    return;
  }
  const failure = { code: typeof details?.reason === "string" ? details.reason : code, message };
  await finishConversion(sql, row, { failure, now });
}
