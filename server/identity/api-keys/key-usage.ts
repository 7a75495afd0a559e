import { LRUCache } from "lru-cache";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";

const NOTED_EVERY_MS = 60_000;
const KEYS_MAX = 10_000;

interface KeyUsage {
  /** Returns at once. */
  note(keyId: string): void;
  settled(): Promise<void>;
}

/**
 * Writes when a key was last used, at most once a minute per key however many processes see it, and never in the way of
 * a request. A write that fails is left out: the next minute brings another.
 */
export function createKeyUsage({ db, clock }: { db: PrismaClient; clock: Clock }): KeyUsage {
  const notedAtMs = new LRUCache<string, number>({ max: KEYS_MAX });
  const writing = new Set<Promise<unknown>>();
  return {
    note(keyId) {
      const now = clock.now();
      if (now.getTime() - (notedAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) return;
      notedAtMs.set(keyId, now.getTime());
      const write = writeUse(db, keyId, now)
        .catch(() => undefined)
        .finally(() => writing.delete(write));
      writing.add(write);
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}

const writeUse = (db: PrismaClient, id: string, now: Date): Promise<unknown> => {
  const minuteAgo = new Date(now.getTime() - NOTED_EVERY_MS);
  return db.apiKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: minuteAgo } }] },
    data: { lastUsedAt: now },
  });
};
