import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { Counters } from "../../../engines/counters/counters";
import type { StartedAlarms } from "../../../engines/start-alarms";
import { TENANT_CHANGED } from "../../../identity/tenant-changed";
import type { Clock } from "../../../kernel/clock";
import { ReadThrough } from "../../../kernel/read-through";
import { type BytesByNoun, exceeded, type Noun, sumOf } from "./nouns";
import { STORED_BYTES_QUOTAS } from "./stored-bytes.quotas";
import { addStored, askToMeasure, readStored, type Stored } from "./stored-bytes.sql";

/** What other processes accept in this time is not known here; it bounds by how much a limit is exceeded. */
const STORE_EVERY_MS = 1000;
/** For tenants that store nothing through this process. */
const FRESH_MS = 10_000;
const ASK_AGAIN_MS = 1000;
const TENANTS_MAX = 10_000;

export const STORED_BYTES_TOPIC = "stored-bytes";
const ACCEPTED_TOPIC = "accepted-bytes";

/** What asks before it stores something for a tenant. */
export type TenantRoom = Pick<StoredBytes, "assertRoom" | "count" | "take">;

export interface StoredBytesParts {
  sql: Pool;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
  alarms: Pick<StartedAlarms, "add" | "announce" | "wake">;
}

/**
 * How many bytes each tenant stores, of everything in `nouns.ts`, against its quota `stored_bytes`. The figures are in one
 * small table, where a round measures them; here they are in memory, with what this process has accepted since. Once a
 * second that is added to the table, from which the other processes have it. So a tenant exceeds its limit by at most what
 * other processes accept in a second, and the calls in progress.
 */
export class StoredBytes {
  readonly #parts: StoredBytesParts;
  readonly #known: ReadThrough<Stored>;
  readonly #askedMs = new LRUCache<string, number>({ max: TENANTS_MAX });
  /** Accepted, and not yet in the table. */
  #accepted = new Map<string, BytesByNoun>();
  #storing = new Map<string, BytesByNoun>();

  private constructor(parts: StoredBytesParts) {
    this.#parts = parts;
    const read = (tenantId: string) => readStored(parts.sql, tenantId);
    this.#known = new ReadThrough({ clock: parts.clock, read, freshMs: FRESH_MS, max: TENANTS_MAX });
  }

  static async start(parts: StoredBytesParts): Promise<{ storedBytes: StoredBytes; stop(): Promise<void> }> {
    const storedBytes = new StoredBytes(parts);
    const round = parts.alarms.add({
      topic: ACCEPTED_TOPIC,
      purpose: "add up what tenants store",
      gatherMs: STORE_EVERY_MS,
      run: () => storedBytes.store(),
    });
    const unsubscribe = await parts.counters.subscribe(TENANT_CHANGED, (id) => storedBytes.#known.forget(id));
    const stop = async () => {
      await Promise.all([round.stop(), unsubscribe()]);
      // Otherwise the next measurement finds it.
      await storedBytes.store().catch(() => undefined);
    };
    return { storedBytes, stop };
  }

  /**
   * Throws `quota_exceeded` if the tenant stores more than its limit, or would with so many bytes more; `details` say what
   * takes how much. What it stores is then measured again, at most every 5 seconds, so that deleting helps soon.
   */
  async assertRoom(tenantId: string, bytes = 0): Promise<void> {
    await this.#admit(tenantId, bytes, () => undefined);
  }

  /** Notes bytes that are stored, or no longer if negative, until the next measurement finds them. */
  count(tenantId: string, noun: Noun, bytes: number): void {
    if (this.#accepted.size === 0) this.#parts.alarms.wake(ACCEPTED_TOPIC);
    const before = this.#accepted.get(tenantId) ?? {};
    this.#accepted.set(tenantId, { ...before, [noun]: (before[noun] ?? 0) + bytes });
  }

  /** Both, for what is stored next: calls at the same time cannot all take what is left. */
  async take(tenantId: string, noun: Noun, bytes: number): Promise<void> {
    await this.#admit(tenantId, bytes, () => this.count(tenantId, noun, bytes));
  }

  /** Adds what was accepted to the table. */
  async store(): Promise<void> {
    if (this.#accepted.size === 0) return;
    this.#storing = this.#accepted;
    this.#accepted = new Map();
    try {
      await addStored(this.#parts.sql, this.#storing, this.#parts.clock.now());
    } catch (failure) {
      for (const [tenantId, nouns] of this.#storing)
        for (const [noun, bytes] of Object.entries(nouns)) this.count(tenantId, noun as Noun, bytes);
      this.#storing = new Map();
      throw failure;
    }
    const stored = [...this.#storing.keys()];
    this.#storing = new Map();
    for (const tenantId of stored) this.#known.forget(tenantId);
  }

  async #admit(tenantId: string, bytes: number, admitted: () => void): Promise<void> {
    const known = await this.#known.find(tenantId);
    if (isWithin(this.#withAccepted(tenantId, known), bytes)) return admitted();
    const { sql, clock, alarms } = this.#parts;
    const now = clock.now();
    const askedMs = this.#askedMs.get(tenantId) ?? Number.NEGATIVE_INFINITY;
    if (now.getTime() - askedMs < ASK_AGAIN_MS) throw exceeded(this.#withAccepted(tenantId, known));
    this.#askedMs.set(tenantId, now.getTime());
    this.#known.forget(tenantId);
    const current = this.#withAccepted(tenantId, await this.#known.find(tenantId));
    if (isWithin(current, bytes)) return admitted();
    await askToMeasure(sql, tenantId, now);
    alarms.announce(STORED_BYTES_TOPIC);
    throw exceeded(current);
  }

  #withAccepted(tenantId: string, { nouns, limit }: Stored = { nouns: {}, limit: DEFAULT_LIMIT }): Stored {
    const added = [nouns, this.#storing.get(tenantId) ?? {}, this.#accepted.get(tenantId) ?? {}];
    return { limit, nouns: added.reduce(sum, {}) };
  }
}

const DEFAULT_LIMIT = STORED_BYTES_QUOTAS.stored_bytes.defaultLimit;

const isWithin = ({ nouns, limit }: Stored, adding: number): boolean =>
  // Who is at the limit may store nothing more, not even what takes no bytes.
  sumOf(nouns) < limit && sumOf(nouns) + adding <= limit;

function sum(to: BytesByNoun, added: BytesByNoun): BytesByNoun {
  const nouns = { ...to };
  for (const [noun, bytes] of Object.entries(added)) nouns[noun as Noun] = (nouns[noun as Noun] ?? 0) + bytes;
  return nouns;
}
