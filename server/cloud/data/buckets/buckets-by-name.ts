import type { Counters } from "../../../engines/counters/counters";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { ReadThrough } from "../../../kernel/read-through";
import type { StoredBucket } from "./bucket";
import { BucketNames } from "./bucket-names";

/** The topic that carries the name of a bucket whose settings changed, or that was deleted, to every process. */
const BUCKET_CHANGED = "cloud:bucket_changed";

/** The longest time that old settings apply in a process that missed the message. */
const REMEMBERED_MS = 10_000;
const KNOWN_MAX = 10_000;

/** The settings of a bucket as the S3 endpoint needs them: its counts may be old, so it has none. */
export type BucketSettings = Omit<StoredBucket, keyof typeof omit>;

export interface BucketsByName {
  /** Returns a bucket of any tenant; undefined if there is none. The caller checks access (`isVisible`). */
  find(name: string): Promise<BucketSettings | undefined>;
  /** Whether there is one of any tenant, at a bounded cost however many ask. */
  exists(name: string): Promise<boolean>;
  close(): Promise<void>;
}

const omit = {
  objects: true,
  versions: true,
  bytes: true,
  deletingTotal: true,
  warmBytes: true,
  coldBytes: true,
  archiveBytes: true,
} as const;

/** Caches the settings of buckets. That a bucket does not exist is not cached, since it may be created at any moment. */
export async function createBucketsByName(parts: {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
}): Promise<BucketsByName> {
  const { db, clock, counters } = parts;
  const read = async (name: string) => (await db.bucket.findUnique({ where: { name }, omit })) ?? undefined;
  const buckets = new ReadThrough<BucketSettings>({ clock, read, freshMs: REMEMBERED_MS, max: KNOWN_MAX });
  const names = new BucketNames({ db, clock });
  const unsubscribe = await counters.subscribe(BUCKET_CHANGED, (name) => {
    buckets.forget(name);
    names.forget(name);
  });
  return {
    find: async (name) => {
      const found = await buckets.find(name);
      if (!found) buckets.forget(name);
      return found;
    },
    exists: (name) => names.has(name),
    close: unsubscribe,
  };
}

/** Call it after the change is committed; a process that misses the message sees the change within ten seconds. */
export const publishBucketChange = (counters: Pick<Counters, "publish">, name: string): Promise<void> =>
  counters.publish(BUCKET_CHANGED, name).catch(() => undefined);
