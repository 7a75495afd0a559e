import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { ReadThrough } from "../../../kernel/read-through";

/** How long it is remembered that a bucket exists. */
const REMEMBERED_MS = 10_000;
const KNOWN_MAX = 10_000;
/** Names of one query. */
const BATCH_MAX = 1000;

interface Waiting {
  resolve: (exists: boolean) => void;
  reject: (failure: unknown) => void;
}

/**
 * Tells which names are those of buckets, for anyone who sends a path. However many ask, one query at a time looks for
 * all names that wait; that a bucket does not exist is not remembered, since it may be created at any moment.
 */
export class BucketNames {
  readonly #db: Pick<PrismaClient, "bucket">;
  readonly #known: ReadThrough<true>;
  #waiting = new Map<string, Waiting>();
  #isReading = false;

  constructor({ db, clock }: { db: Pick<PrismaClient, "bucket">; clock: Clock }) {
    this.#db = db;
    const read = async (name: string) => (await this.#ask(name)) || undefined;
    this.#known = new ReadThrough({ clock, read, freshMs: REMEMBERED_MS, max: KNOWN_MAX });
  }

  async has(name: string): Promise<boolean> {
    const isKnown = (await this.#known.find(name)) !== undefined;
    if (!isKnown) this.#known.forget(name);
    return isKnown;
  }

  forget(name: string): void {
    this.#known.forget(name);
  }

  /** The cache asks for a name once at a time. */
  #ask(name: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(name, { resolve, reject });
      if (!this.#isReading) void this.#readAll();
    });
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, BATCH_MAX);
      for (const [name] of batch) this.#waiting.delete(name);
      try {
        const names = batch.map(([name]) => name);
        const rows = await this.#db.bucket.findMany({ where: { name: { in: names } }, select: { name: true } });
        const found = new Set(rows.map(({ name }) => name));
        for (const [name, { resolve }] of batch) resolve(found.has(name));
      } catch (failure) {
        for (const [, { reject }] of batch) reject(failure);
      }
    }
    this.#isReading = false;
  }
}
