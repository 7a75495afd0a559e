import { LRUCache } from "lru-cache";
import type { Clock } from "./clock";

const NOTED_EVERY_MS = 60_000;
const KEYS_MAX = 10_000;

export interface LastUsed {
  /** Returns at once. */
  note(keyId: string): void;
  /** Resolves when every use recorded so far is stored. */
  idle(): Promise<void>;
}

export interface LastUsedParts {
  clock: Clock;
  /** Where the keys are stored. */
  table: {
    updateMany(change: {
      where: { id: string; OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: Date } }] };
      data: { lastUsedAt: Date };
    }): Promise<unknown>;
  };
}

/**
 * Stores when a key was last used, at most once a minute per key for any number of processes, without delaying a
 * request. A failed write is skipped: the next minute brings another.
 */
export function createLastUsed({ clock, table }: LastUsedParts): LastUsed {
  const notedAtMs = new LRUCache<string, number>({ max: KEYS_MAX });
  const writing = new Set<Promise<unknown>>();
  return {
    note(keyId) {
      const at = clock.now();
      if (at.getTime() - (notedAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) return;
      notedAtMs.set(keyId, at.getTime());
      const unlessAfter = new Date(at.getTime() - NOTED_EVERY_MS);
      const written = table
        .updateMany({
          where: { id: keyId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: unlessAfter } }] },
          data: { lastUsedAt: at },
        })
        .catch(() => undefined)
        .finally(() => writing.delete(written));
      writing.add(written);
    },
    async idle() {
      await Promise.all(writing);
    },
  };
}
