import type { Pool } from "pg";
import { RULES_VERSION } from "../../../guard/detectors/rules";
import type { ContentReport } from "../../../guard/detectors/scan-content";
import { ServiceError } from "../../../kernel/errors";
import type { StoredBucket } from "../../data/buckets/bucket";
import type { ObjectReading, Objects, ObjectVersion } from "../../data/objects/objects";
import type { ScanThread } from "./scan-thread";
import { readScanned, type ScannedObject } from "./scanned-objects.sql";

/** A batch ends with the object that exceeds it, so that little is repeated after a crash. */
const BYTES_MAX = 128 * 1024 ** 2;
/** Objects that are read at the same time: one is read while another is searched. */
const LANES = 3;

export interface ReadBatch {
  sql: Pool;
  objects: Pick<Objects, "list" | "read">;
  thread: Pick<ScanThread, "scan">;
  bucket: StoredBucket;
  /** Aborted when the scan is to stop. */
  signal: AbortSignal;
  onBytes: (count: number) => void;
  /** Objects of a batch. */
  limit: number;
}

export interface ReadObject {
  object: Omit<ScannedObject, "omitted">;
  report: ContentReport;
}

/** What was found in the next objects of a bucket, in the order of their keys. */
export interface Batch {
  read: readonly ReadObject[];
  unchanged: readonly ScannedObject[];
  unreadable: number;
  /** Of all objects of the batch. */
  objects: number;
  bytes: number;
  /** The last key; undefined: there are no objects behind `after`. */
  last: string | undefined;
}

/** Reads the next objects with the prefix behind the key `after`, except those that did not change. */
export async function readBatch(ctx: ReadBatch, { prefix, after }: { prefix: string; after: string }): Promise<Batch> {
  const { bucket, sql } = ctx;
  const page = await ctx.objects.list(bucket, { prefix, ...(after !== "" && { after }), limit: ctx.limit });
  const taken = withinBytes(page.objects);
  const known = await readScanned(
    sql,
    bucket.id,
    taken.map(({ key }) => key),
  );
  const unchanged = taken.flatMap((version) => {
    const before = known.get(version.key);
    return before && isUnchanged(before, version, rulesVersionOf(bucket)) ? [{ version, before }] : [];
  });
  for (const { version } of unchanged) ctx.onBytes(version.size);
  const isKnown = new Set(unchanged.map(({ version }) => version.key));
  const wanted = taken.filter(({ key }) => !isKnown.has(key));
  const results = await inLanes(wanted, (version) => readObject(ctx, version));
  return {
    read: results.filter((one) => typeof one === "object"),
    unchanged: unchanged.map(({ before }) => before),
    unreadable: results.filter((one) => one === "unreadable").length,
    objects: taken.length,
    bytes: taken.reduce((sum, { size }) => sum + size, 0),
    last: taken.at(-1)?.key,
  };
}

/** A finding in a public bucket is more severe, so that a change of that reads the objects again. */
export const rulesVersionOf = ({ publicRead }: Pick<StoredBucket, "publicRead">): string =>
  publicRead ? `${RULES_VERSION} public` : RULES_VERSION;

const isUnchanged = (before: ScannedObject, { etag, lastModified }: ObjectVersion, rulesVersion: string): boolean =>
  before.etag === etag && before.modifiedAt === lastModified.getTime() && before.rulesVersion === rulesVersion;

function withinBytes(versions: readonly ObjectVersion[]): ObjectVersion[] {
  let bytes = 0;
  const end = versions.findIndex(({ size }) => {
    bytes += size;
    return bytes >= BYTES_MAX;
  });
  return versions.slice(0, end < 0 ? versions.length : end + 1);
}

async function readObject(ctx: ReadBatch, { key }: ObjectVersion): Promise<ReadObject | "gone" | "unreadable"> {
  const { bucket, thread, signal } = ctx;
  signal.throwIfAborted();
  try {
    const reading = await ctx.objects.read(bucket, { key });
    const report = await thread.scan(untilAborted(reading, signal), ctx.onBytes);
    const { etag, lastModified } = reading.version;
    const object = { key, etag, modifiedAt: lastModified.getTime(), rulesVersion: rulesVersionOf(bucket) };
    return { object: { ...object, coverage: report.coverage }, report };
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure;
    if (failure.code === "not_found") return "gone";
    // Its content is archived, or lost or damaged, which scrubbing reports to operators.
    if (failure.code === "internal" || failure.details?.reason === "archived") return "unreadable";
    throw failure;
  }
}

async function* untilAborted(reading: ObjectReading, signal: AbortSignal): AsyncIterable<Uint8Array> {
  for await (const chunk of reading.open()) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** The results in the order of the items, a few items at a time. The first error ends all. */
async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let isEnded = false;
  const lane = async () => {
    try {
      while (next < items.length && !isEnded) {
        const at = next++;
        const item = items[at];
        if (item !== undefined) results[at] = await work(item);
      }
    } catch (failure) {
      isEnded = true;
      throw failure;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane));
  for (const one of lanes) if (one.status === "rejected") throw one.reason;
  return results;
}
